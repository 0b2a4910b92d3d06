import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { GO_SETTINGS } from '#test/conformance/programs/go.ts'

const FOLDER = join(import.meta.dirname, 'shapes')
const MACHINERY = 'github.com/siderolabs/talos/pkg/machinery'
const CRYPTO = 'github.com/siderolabs/crypto@v0.6.5'

// The last or nearly last of each minor version; go.sum beside the program holds their checksums.
const VERSIONS = [
  'v1.5.5',
  'v1.6.7',
  'v1.7.6',
  'v1.8.3',
  'v1.9.5',
  'v1.10.6',
  'v1.11.6',
  'v1.12.4',
  'v1.13.0',
  'v1.14.1',
]

/** The types of one version of Talos as its sources declare them. */
export interface Release {
  version: string
  documents: { kind: string; type: string; named: boolean }[]
  types: Record<string, SourceType>
}

export interface SourceType {
  fields: SourceField[] | null
  values?: string[]
  hasZero?: boolean
  of?: string
  methods?: string[]
}

export interface SourceField {
  name: string
  type: string
  omit: 'never' | 'empty' | 'nil'
  replaced?: boolean
}

/**
 * Reads the types of the machine configuration from the Go sources of Talos. Answers undefined where those
 * are not to be had: without Go, or without a network when they were never fetched.
 */
export async function releases(): Promise<Release[] | undefined> {
  const modules = [CRYPTO, ...VERSIONS.map((version) => `${MACHINERY}@${version}`)]
  const downloaded = await go(['mod', 'download', '-json', ...modules]).catch(() => undefined)
  if (downloaded === undefined) return undefined
  const [crypto = '', ...folders] = [...downloaded.matchAll(/"Dir": "(.*)"/g)].map(([, at]) => at)
  const args = VERSIONS.map((version, at) => `${version}=${folders[at]}`)
  const lines = (await go(['run', '.', crypto, ...args])).trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

async function go(args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('go', args, {
    cwd: FOLDER,
    env: { ...process.env, ...GO_SETTINGS },
    maxBuffer: 16 * 2 ** 20,
  })
  return stdout
}
