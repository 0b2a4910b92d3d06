import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  fieldsOfStruct,
  type GoField,
  type GoPackage,
  parsePackage,
} from '#scripts/generate/go-structs.ts'
import { GO_SETTINGS } from '#test/conformance/programs/go.ts'

const MODULE_FOLDER = join(import.meta.dirname, '../programs/kubernetes')

// How the names of definitions begin, and the Go modules that their types are from.
const MODULES = {
  'io.k8s.apiextensions-apiserver.': 'k8s.io/apiextensions-apiserver',
  'io.k8s.apimachinery.': 'k8s.io/apimachinery',
  'io.k8s.api.': 'k8s.io/api',
}

export type FieldsOfDefinition = (definition: string) => ReadonlyMap<string, GoField>

/**
 * Looks up the fields of definitions in the Go sources that kube-apiserver is built from. Answers undefined
 * where those are not to be had: without Go, or when the programs came ready-made.
 */
export async function fieldsFromGo(
  definitions: readonly string[],
): Promise<FieldsOfDefinition | undefined> {
  const folders = await moduleFolders()
  if (!folders) return undefined
  const packages = new Map<string, GoPackage>()
  for (const importPath of new Set(definitions.map((name) => placeOf(name).importPath))) {
    packages.set(importPath, await readPackage(importPath, folders))
  }
  return (name) => fieldsOfStruct(packages, placeOf(name))
}

async function moduleFolders(): Promise<Map<string, string> | undefined> {
  const args = ['list', '-m', '-f', '{{.Path}} {{.Dir}}', ...Object.values(MODULES)]
  const { stdout } = await promisify(execFile)('go', args, {
    cwd: MODULE_FOLDER,
    env: { ...process.env, ...GO_SETTINGS },
  }).catch(() => ({ stdout: '' }))
  const lines = stdout.trim().split('\n')
  const found = new Map(
    lines.map((line) => {
      const [path = '', folder = ''] = line.split(' ')
      return [path, folder]
    }),
  )
  return Object.values(MODULES).every((path) => found.get(path)) ? found : undefined
}

function placeOf(definition: string): { importPath: string; struct: string } {
  const [prefix, module] = Object.entries(MODULES).find(([one]) => definition.startsWith(one)) ?? []
  const words = definition.slice(prefix?.length ?? 0).split('.')
  return { importPath: `${module}/${words.slice(0, -1).join('/')}`, struct: words.at(-1) ?? '' }
}

async function readPackage(importPath: string, folders: Map<string, string>): Promise<GoPackage> {
  const [module = '', root = ''] =
    [...folders].find(([path]) => importPath.startsWith(`${path}/`)) ?? []
  const folder = join(root, importPath.slice(module.length))
  const files = (await readdir(folder)).filter((file) => /(?<!_test)\.go$/.test(file))
  const sources = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return parsePackage(importPath.slice(importPath.lastIndexOf('/') + 1), sources)
}
