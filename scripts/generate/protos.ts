// The TypeScript of the messages and services in src/talos/proto, made by the tools that are
// installed: no registry and no network.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { type GeneratedFile, MARKER } from './tree.ts'

const root = join(import.meta.dirname, '..', '..')
const SOURCES = 'src/talos/proto'
const TARGET = 'src/talos/generated'

// Enums become objects: tsconfig.json allows only what can be erased.
const OPTIONS = ['target=ts', 'import_extension=ts', 'erasable_syntax=true']

export function protoFiles(): GeneratedFile[] {
  const folder = mkdtempSync(join(tmpdir(), 'talos-operator-protos-'))
  try {
    generateInto(folder)
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => ({
        path: join(TARGET, relative(folder, path)),
        content: `// ${MARKER}\n${readFileSync(path, 'utf8')}`,
      }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function generateInto(folder: string): void {
  const plugin = join(root, 'node_modules/@bufbuild/protoc-gen-es/bin/protoc-gen-es')
  const template = {
    version: 'v2',
    plugins: [{ local: [process.execPath, plugin], out: folder, opt: OPTIONS }],
  }
  const buf = join(root, 'node_modules/@bufbuild/buf/bin/buf')
  const args = [buf, 'generate', join(root, SOURCES), '--template', JSON.stringify(template)]
  execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}
