import type { Kind, KubeObject } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { typeMeta } from '#kube/paths.ts'
import { WRITTEN_BY } from '#runtime/written-by.ts'
import type { HeldObjects } from './diff-held.ts'
import type { DiffPorts } from './diff-ports.ts'
import { refusalIn } from './diff-rehearse.ts'
import type { Said } from './diff-report.ts'
import type { ShapeModel, Written } from './diff-shape-model.ts'

interface Known {
  /** Ids of objects that are not as the API has them. */
  readonly given: ReadonlySet<string>
  /** As they were before anything was done. */
  readonly before: HeldObjects
}

const AT_ONCE = 20

interface Rehearsed {
  readonly held: HeldObjects
  readonly refusals: readonly Said[]
}

/** Has the API say what would be written: with defaults, and with what others have written. */
export async function rehearsed(
  { held, written }: ShapeModel,
  { given, before }: Known,
  ports: DiffPorts,
): Promise<Rehearsed> {
  const asked = [...written]
    .filter(([id, { kind, draft }]) => {
      const { name } = draft.metadata
      const isNewMachine = kind === ProvidedMachine && !before.get<Kind>(kind, name)
      return !given.has(id) && !isNewMachine && held.get<Kind>(kind, name)
    })
    .map(([, one]) => one)
  let now: Rehearsed = { held, refusals: [] }
  for (let at = 0; at < asked.length; at += AT_ONCE) {
    const some = asked.slice(at, at + AT_ONCE).map((one) => answerTo(one, before, ports))
    now = (await Promise.all(some)).reduce(withAnswer, now)
  }
  return now
}

/** What an object then is. Undefined: it is not made. */
interface Answer {
  readonly of: Written
  readonly object: KubeObject | undefined
  readonly refusal?: Said
}

async function answerTo(of: Written, before: HeldObjects, { client }: DiffPorts): Promise<Answer> {
  const { kind, draft } = of
  const options = { dryRun: true, force: true, fieldManager: WRITTEN_BY }
  try {
    const made = await client.apply<Kind>(kind, draft, options)
    return { of, object: { ...made, ...typeMeta(kind) } }
  } catch (error) {
    const { name } = draft.metadata
    const message = `the API does not take ${kind.kind} ${name}: ${refusalIn(error)}`
    return { of, object: before.get<Kind>(kind, name), refusal: { reason: 'Refused', message } }
  }
}

function withAnswer({ held, refusals }: Rehearsed, { of, object, refusal }: Answer): Rehearsed {
  const told = refusal ? [...refusals, refusal] : refusals
  const model = held.get<Kind>(of.kind, of.draft.metadata.name)
  if (!model) return { held, refusals: told }
  if (!object) return { held: held.without(model), refusals: told }
  // What providers are thought to say of a Machine.
  const { status } = model
  const as = status === undefined ? object : { ...object, status }
  return { held: held.with([as]), refusals: told }
}
