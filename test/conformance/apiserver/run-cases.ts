import { createHash } from 'node:crypto'
import type { RunningApi } from '#test/conformance/apis.ts'
import type { Case } from './cases.ts'
import { type Difference, differencesOf } from './differences.ts'
import { normalised } from './normalise.ts'
import { type RawHttp, rawHttp } from './raw-http.ts'
import { installSharedKinds } from './shared-kinds.ts'
import { stageOf } from './stage.ts'
import type { Transcript } from './transcript.ts'

const BROKEN_OFF = 'the case broke off'

/** An API on which cases can be played. Disposing of it removes what they have left there. */
export interface Judged extends AsyncDisposable {
  play(one: Case): Promise<Transcript>
}

export interface Verdict {
  name: string
  differences: Difference[]
  /** Why they are expected. */
  differs?: string
}

/** A verdict is good if the answers are equal, or differ as they are said to. */
export const isGood = ({ differences, differs }: Verdict): boolean =>
  differs === undefined ? differences.length === 0 : differences.length > 0

/** A real and an embedded API side by side. Disposing of it removes what cases have left there. */
export interface Comparison extends AsyncDisposable {
  real: Judged
  embedded: Judged
  /** Plays a case on both and tells where their answers differ. Any number can be played at once. */
  of(one: Case): Promise<Verdict>
}

/** Prepares two APIs for cases. They are told apart by the run, so both may even be the same. */
export async function compareApis(
  real: Pick<RunningApi, 'kubeconfig'>,
  embedded: Pick<RunningApi, 'kubeconfig'>,
  run = '',
): Promise<Comparison> {
  const [expected, actual] = await Promise.all([
    judge(real, `real ${run}`),
    judge(embedded, `embedded ${run}`),
  ])
  return {
    real: expected,
    embedded: actual,
    of: (one) => compareCase(expected, actual, one),
    [Symbol.asyncDispose]: async () => {
      await expected[Symbol.asyncDispose]()
      await actual[Symbol.asyncDispose]()
    },
  }
}

/** Plays one case on both APIs. */
export async function compareCase(expected: Judged, actual: Judged, one: Case): Promise<Verdict> {
  const [ours, theirs] = await Promise.all([expected.play(one), actual.play(one)])
  const differences = [...differencesOf(ours, theirs), ...brokenOff(ours)]
  return { name: one.name, differences, ...(one.differs && { differs: one.differs }) }
}

/** A case that cannot be played to its end proves nothing, even if it breaks off on both. */
const brokenOff = (transcript: Transcript): Difference[] =>
  transcript
    .filter(({ step }) => step === BROKEN_OFF)
    .map(({ step, body }) => ({ where: step, expected: String(body), actual: 'not asked' }))

/** Prepares an API: the kinds that cases share are defined in it, in a group named for the run. */
async function judge(api: Pick<RunningApi, 'kubeconfig'>, run: string): Promise<Judged> {
  const http = await rawHttp(api.kubeconfig)
  const group = `${idOf(run)}.example.com`
  const namespaces: string[] = []
  const remove = await installSharedKinds(http, group)
  return {
    play: async (one) => {
      const id = idOf(`${run}/${one.name}`)
      if (!one.alone) {
        await createNamespace(http, id)
        namespaces.push(id)
      }
      return playOn({ http, id, group }, one)
    },
    [Symbol.asyncDispose]: async () => {
      for (const id of namespaces) {
        await http.ask({ method: 'DELETE', path: `/api/v1/namespaces/${id}` })
      }
      await remove()
      http[Symbol.dispose]()
    },
  }
}

async function playOn(
  { http, id, group }: { http: RawHttp; id: string; group: string },
  one: Case,
): Promise<Transcript> {
  const { stage, transcript, close } = stageOf({ http, id, group })
  try {
    await one.play(stage)
  } catch (error) {
    transcript.push({ step: BROKEN_OFF, body: String(error) })
  } finally {
    close()
  }
  return normalised(transcript, { id, group, host: http.host })
}

async function createNamespace(http: RawHttp, name: string): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
  await http.ask({ method: 'POST', path: '/api/v1/namespaces', body })
}

/** Of one length for all runs, for some messages tell how long a name is. */
const idOf = (text: string): string =>
  `c${createHash('sha256').update(text).digest('hex').slice(0, 9)}`
