import { authorityProblem } from '#machineconfig/read/leaves/url-authority.ts'

const DIGEST = /^(.*)@sha256:[0-9a-f]{64}$/s
const TAG = /^(.*):([^/:]*)$/s

const LONGEST_PATH = 255
// Where images without a folder are in this one. Talos dies of those that are too long only with it.
const HUB = new Set(['docker.io', 'index.docker.io'])
const OFFICIAL = 'library/'

/** What is known of an image by its name. */
export interface ImageReference {
  /** Whether it is named by its digest, so that it is always the same one. */
  readonly isPinned: boolean
}

/** A reference to an image as containers' registries take it; undefined if it is none. */
export function imageReference(text: string): ImageReference | undefined {
  if (isTagged(text)) return { isPinned: false }
  const [, base] = DIGEST.exec(text) ?? []
  if (base === undefined) return undefined
  return isTagged(base) || isRepository(base) ? { isPinned: true } : undefined
}

function isTagged(text: string): boolean {
  const [, base = text, tag] = TAG.exec(text) ?? []
  return isRepository(base) && (tag === undefined || /^[\w.-]{1,128}$/.test(tag))
}

/** What is before the first slash is a registry only if it looks like a host. */
function isRepository(text: string): boolean {
  const slash = text.indexOf('/')
  const first = text.slice(0, Math.max(slash, 0))
  const isRegistry = first === 'localhost' || /[.:]/.test(first)
  const path = isRegistry ? text.slice(slash + 1) : text
  if (isRegistry && !isHost(first)) return false
  const isOfficial = (!isRegistry || HUB.has(first)) && !path.includes('/')
  const longest = LONGEST_PATH - (isOfficial ? OFFICIAL.length : 0)
  return path.length >= 2 && path.length <= longest && /^[a-z0-9_./-]+$/.test(path)
}

const isHost = (text: string): boolean =>
  !/[@?#%]/.test(text) && authorityProblem('', text) === undefined
