import { type ApiDuel, CONTESTS, NAMESPACE, OBJECTS } from '#test/bench/api-duel.ts'
import { definitionWithRules, largeObject } from '#test/bench/heavy-bodies.ts'
import type { Row } from '#test/bench/row.ts'
import { shown } from '#test/bench/table.ts'
import type { Answer } from '#test/conformance/kubernetes/https-json.ts'
import { until } from '#test/until.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const RULES = 200
const LARGE_BYTES = 3_000_000
const OPENAPI = ['/openapi/v2', '/openapi/v3', '/openapi/v3/api/v1', '/openapi/v3/apis/apps/v1']

/** The longest that one thing keeps the embedded API from everything else. */
export const apiLoop: Row = {
  name: 'api-loop',
  budget: 50,
  unit: 'ms',
  better: 'less',
  needs: 'api-duel',
  async measure(duel) {
    // Cold: nobody has asked for these documents before.
    for (const path of OPENAPI) await asked(duel, path, path)
    for (const contest of CONTESTS) await duel.scores(contest)
    const list = `/api/v1/namespaces/${NAMESPACE}/configmaps`
    await asked(duel, `a list of ${shown(OBJECTS)}`, list)
    await asked(
      duel,
      `the same with a label selector`,
      `${list}?labelSelector=${encodeURIComponent('app=bench,number notin (00000001)')}`,
    )
    await heavyWrites(duel)
    for (const path of OPENAPI) await asked(duel, `${path} after a new kind`, path)
    const blocks = [...duel.blocks].toSorted(([, one], [, other]) => other.ms - one.ms)
    const all = blocks.map(
      ([name, { ms, atWorkMs }]) => `${name} ${shown(ms)} (${shown(atWorkMs)})`,
    )
    return {
      value: blocks[0]?.[1].ms ?? 0,
      detail: `the longest turns of the event loop in ms (of which at work): ${all.join(', ')}`,
    }
  },
}

async function asked(duel: ApiDuel, name: string, path: string): Promise<void> {
  await duel.observed(name, async () =>
    demand(await duel.embedded.send({ method: 'GET', path }), name),
  )
}

async function heavyWrites(duel: ApiDuel): Promise<void> {
  const { send } = duel.embedded
  const { definition, path } = definitionWithRules(RULES)
  await duel.observed(`a definition with ${RULES} rules`, async () => {
    demand(await send({ method: 'POST', path: CRDS, body: definition }), 'the definition')
    await until(
      'the kind to be served',
      () => send({ method: 'GET', path }),
      ({ status }) => status === 200,
    )
  })
  const body = largeObject(LARGE_BYTES)
  await duel.observed(`a body of ${shown(LARGE_BYTES / 1e6)} MB`, async () =>
    demand(await send({ method: 'POST', path, body }), 'the large body'),
  )
}

/** What is refused costs less than what is done. */
function demand({ status, body }: Answer, name: string): void {
  if (status >= 300) {
    throw new Error(`${name} was answered ${status}: ${JSON.stringify(body).slice(0, 300)}`)
  }
}
