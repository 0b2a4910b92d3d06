import { delimiter, join, resolve } from 'node:path'
import { parseYaml } from '#base/yaml.ts'
import { readSmallFile } from './followed-files.ts'
import { KubeconfigFile, parseAs } from './kubeconfig-schema.ts'

// Some thousand contexts with their certificates; above it is something else.
const LARGEST_BYTES = 4 * 1024 * 1024

/** Where kubeconfigs are looked for: `path`, or else KUBECONFIG, or else the one at home. */
export interface Places {
  path?: string | undefined
  env: Record<string, string | undefined>
  homeFolder: string
}

/** A cluster, context or user of one file. File names in it are relative to the file's folder. */
export interface Entry {
  file: string
  content: unknown
}

/** Several kubeconfig files seen as one. */
export interface Kubeconfigs {
  files: string[]
  currentContext: string | undefined
  contexts: Map<string, Entry>
  clusters: Map<string, Entry>
  users: Map<string, Entry>
}

/**
 * Reads the kubeconfigs and merges them as kubectl does: the first file that says something wins,
 * and wins whole. Files that KUBECONFIG names may be missing, but not all of them.
 */
export async function readKubeconfigs(places: Places, signal: AbortSignal): Promise<Kubeconfigs> {
  const candidates = candidatesOf(places)
  const read = await Promise.all(candidates.map((file) => readKubeconfig(file, signal)))
  const found = read.filter((one) => one !== undefined)
  if (found.length === 0) {
    throw new Error(
      `no kubeconfig found at ${candidates.join(', ')}; name one that exists, or set KUBECONFIG`,
    )
  }
  return {
    files: found.map(({ file }) => file),
    currentContext: found.map(({ config }) => config['current-context']).find(Boolean),
    contexts: firstOfEach(found, ({ contexts = [] }) =>
      contexts.map(({ name, context }) => ({ name, content: context })),
    ),
    clusters: firstOfEach(found, ({ clusters = [] }) =>
      clusters.map(({ name, cluster }) => ({ name, content: cluster })),
    ),
    users: firstOfEach(found, ({ users = [] }) =>
      users.map(({ name, user }) => ({ name, content: user })),
    ),
  }
}

function candidatesOf({ path, env, homeFolder }: Places): string[] {
  if (path) return [resolve(path)]
  const listed = (env.KUBECONFIG ?? '').split(delimiter).filter(Boolean)
  if (listed.length === 0) return [join(homeFolder, '.kube', 'config')]
  return [...new Set(listed.map((file) => resolve(file)))]
}

interface Read {
  file: string
  config: KubeconfigFile
}

async function readKubeconfig(file: string, signal: AbortSignal): Promise<Read | undefined> {
  const text = await readSmallFile(file, { mostBytes: LARGEST_BYTES, signal })
  if (text === undefined) return undefined
  const config = parseAs(KubeconfigFile, parsed(text, file), `the kubeconfig ${file}`)
  const { apiVersion = 'v1', kind = 'Config' } = config
  if (kind !== 'Config' || apiVersion !== 'v1') {
    throw new Error(`${file} is not a kubeconfig: it has another kind or apiVersion than Config v1`)
  }
  return { file, config }
}

function parsed(text: string, file: string): unknown {
  try {
    return parseYaml(text)
  } catch (error) {
    throw new Error(`${file} is not a kubeconfig: ${error instanceof Error ? error.message : ''}`)
  }
}

type Listed = { name: string | undefined; content: unknown }[]

function firstOfEach(read: Read[], list: (config: KubeconfigFile) => Listed): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  for (const { file, config } of read) {
    for (const [name, content] of uniqueIn(file, list(config))) {
      if (!entries.has(name)) entries.set(name, { file, content })
    }
  }
  return entries
}

/** Which of two was meant cannot be known, so kubectl refuses them, too. */
function uniqueIn(file: string, listed: Listed): Map<string, unknown> {
  const unique = new Map<string, unknown>()
  for (const { name, content } of listed) {
    if (!name) continue
    if (unique.has(name)) {
      throw new Error(`${file} has two entries named ${JSON.stringify(name)}; remove one`)
    }
    unique.set(name, content)
  }
  return unique
}
