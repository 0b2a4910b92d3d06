import type { Fields } from '#apiserver/objects.ts'
import { APPLY, JSON_PATCH, MERGE, STRATEGIC } from '#test/conformance/apiserver/cases/objects.ts'
import { configMaps, deployments, pods, services } from './built-in-objects.ts'
import { type Chance, chanceOf } from './chance.ts'
import { things } from './custom-objects.ts'
import { jsonPatchOf } from './json-patches.ts'
import { metadataOf } from './metadata.ts'
import { FEW_ODDS, laidOver, oddly } from './parts.ts'
import type { Played } from './played.ts'
import { strategicOf } from './strategic-patches.ts'

/**
 * One write, as it can be printed and sent. What stands for something that only a server knows is put
 * in when it is sent: `$id`, `$namespace`, `$owner`, `$current` and `$stale`.
 */
export interface Step {
  method: string
  version: string
  /** Below the namespace. */
  path: string
  query?: string
  contentType?: string
  agent?: string
  body?: unknown
  /** The body is laid over what is there, and all of it is sent. */
  isEdit?: true
}

export interface History {
  kind: string
  /** Where its object is read. */
  version: string
  path: string
  steps: Step[]
}

interface Context {
  played: Played
  chance: Chance
}

const KINDS = [configMaps, deployments, things, services, pods, things]

/** What the seed tells to happen to one object. */
export function historyOf(seed: number, length: number): History {
  const chance = chanceOf(seed)
  const played = KINDS[seed % KINDS.length] ?? things
  const context = { played, chance }
  const [version = ''] = played.versions
  const steps = Array.from({ length }, (_, index) =>
    chance.of(index === 0 ? BEGINNINGS : WRITES)(context),
  )
  return { kind: played.kind, version, path: `${played.plural}/a`, steps }
}

const apply = ({ played, chance }: Context): Step => {
  const isStatus = played.status !== undefined && chance.is(0.15)
  const query = [`fieldManager=${chance.of(['one', 'two', 'three'])}`]
  if (chance.is(0.4)) query.push('force=true')
  return {
    ...patched({ played, chance }, isStatus),
    query: [...query, ...dryRun(chance)].join('&'),
    contentType: APPLY,
    body: appliedOf({ played, chance }, isStatus),
  }
}

function appliedOf({ played, chance }: Context, isStatus: boolean): unknown {
  const under = isStatus || chance.is(0.3) ? {} : played.base
  const over = isStatus ? { status: played.status?.(chance) } : played.part(chance)
  const body = laidUnder(under, oddly(over, FEW_ODDS, chance))
  const metadata = {
    name: 'a',
    ...(chance.is(0.4) && { ...metadataOf(chance) }),
    ...(chance.is(0.04) && { resourceVersion: chance.of(['$current', '$stale']) }),
    ...(chance.is(0.02) && {
      managedFields: chance.of([[], [{ manager: 'x', operation: 'Apply' }]]),
    }),
  }
  return { kind: played.kind, metadata, ...Object(body) }
}

/** As laid over, but nulls stay: they are a part of what is sent. */
function laidUnder(under: Fields, over: unknown): unknown {
  const joined = laidOver(under, over)
  return Object.keys(under).length === 0 ? over : joined
}

const put = ({ played, chance }: Context): Step => {
  const isStatus = played.status !== undefined && chance.is(0.15)
  const isWhole = chance.is(0.15)
  const over = isStatus ? { status: played.status?.(chance) } : played.part(chance)
  const metadata = {
    ...(chance.is(0.4) && metadataOf(chance)),
    ...(chance.is(0.2) && { resourceVersion: chance.of([null, '$stale']) }),
    ...(chance.is(0.15) && { managedFields: chance.of([null, [], [{}]]) }),
  }
  const odds = { ...FEW_ODDS, nulls: isWhole ? 0 : 0.1 }
  const body = oddly({ ...over, metadata }, odds, chance)
  return {
    ...patched({ played, chance }, isStatus),
    ...updater(chance),
    method: 'PUT',
    body: isWhole ? wholeOf(played, body) : body,
    ...(!isWhole && { isEdit: true }),
  }
}

const create = ({ played, chance }: Context): Step => ({
  ...patched({ played, chance }, false),
  ...updater(chance),
  method: 'POST',
  path: played.plural,
  body: wholeOf(played, {
    ...played.part(chance),
    ...(chance.is(0.3) && { metadata: metadataOf(chance) }),
    ...(chance.is(0.1) && { status: played.status?.(chance) }),
  }),
})

const wholeOf = ({ kind, base }: Played, over: unknown): unknown =>
  laidOver({ kind, metadata: { name: 'a' }, ...base }, over)

const merge = ({ played, chance }: Context): Step => {
  const isStatus = played.status !== undefined && chance.is(0.2)
  const over = {
    ...(isStatus ? { status: played.status?.(chance) } : played.part(chance)),
    ...(chance.is(0.3) && { metadata: metadataOf(chance) }),
  }
  return {
    ...patched({ played, chance }, isStatus),
    ...updater(chance),
    contentType: MERGE,
    body: oddly(over, { ...FEW_ODDS, nulls: 0.1 }, chance),
  }
}

const strategic = ({ played, chance }: Context): Step => {
  if (!played.isBuiltIn) return merge({ played, chance })
  const isStatus = played.status !== undefined && chance.is(0.2)
  const over = isStatus ? { status: played.status?.(chance) } : played.part(chance)
  const metadata = chance.is(0.3) && { metadata: metadataOf(chance) }
  return {
    ...patched({ played, chance }, isStatus),
    ...updater(chance),
    contentType: STRATEGIC,
    body: strategicOf({ ...over, ...metadata }, chance),
  }
}

const jsonPatch = ({ played, chance }: Context): Step => {
  const isStatus = played.status !== undefined && chance.is(0.2)
  const over = isStatus ? { status: played.status?.(chance) } : played.part(chance)
  return {
    ...patched({ played, chance }, isStatus),
    ...updater(chance),
    contentType: JSON_PATCH,
    body: jsonPatchOf({ ...over, ...(chance.is(0.3) && { metadata: metadataOf(chance) }) }, chance),
  }
}

const remove = ({ played, chance }: Context): Step => ({
  ...patched({ played, chance }, false),
  method: 'DELETE',
  query: dryRun(chance).join('&'),
})

const patched = ({ played, chance }: Context, isStatus: boolean): Step => ({
  method: 'PATCH',
  version: chance.of(played.versions),
  path: `${played.plural}/a${isStatus ? '/status' : ''}`,
})

const dryRun = (chance: Chance): string[] => (chance.is(0.08) ? ['dryRun=All'] : [])

/** Who updates: named, or known by the program. One of them applies, too. */
function updater(chance: Chance): Pick<Step, 'query' | 'agent'> {
  const query = dryRun(chance)
  if (chance.is(0.4)) {
    return { query: query.join('&'), agent: chance.of(['editor/1.0 (linux)', 'kubectl/v1.36.4']) }
  }
  return { query: [...query, `fieldManager=${chance.of(['one', 'other'])}`].join('&') }
}

type Write = (context: Context) => Step

const BEGINNINGS: readonly Write[] = [apply, apply, create]

const often = (times: number, write: Write): Write[] => Array.from({ length: times }, () => write)

const WRITES: readonly Write[] = [
  ...often(12, apply),
  ...often(4, put),
  ...often(3, merge),
  ...often(3, jsonPatch),
  ...often(3, strategic),
  ...often(1, remove),
  ...often(1, create),
]
