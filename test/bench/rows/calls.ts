import clientNode from '@kubernetes/client-node/package.json' with { type: 'json' }
import { median } from '#test/bench/median.ts'
import type { Measurement, Row } from '#test/bench/row.ts'
import { startSubject } from '#test/bench/subject.ts'
import { contentOf, type Round } from '#test/bench/subjects/calls.ts'
import type { ClientNodeCalls } from '#test/bench/subjects/client-node-calls.ts'
import type { OurCalls } from '#test/bench/subjects/our-calls.ts'
import { shown } from '#test/bench/table.ts'
import type { RealKubernetes } from '#test/conformance/kubernetes/real-kubernetes.ts'

const OBJECTS = 200
const AT_ONCE = 16
const SECONDS = 3
const ROUNDS = 5

/** How many GETs per second our client makes for each one of the yardstick. */
export const reads: Row = {
  name: 'reads',
  budget: 4,
  unit: '×',
  better: 'more',
  needs: 'real-kubernetes',
  measure: (kubernetes) => compared(kubernetes, 'read'),
}

/** The same for server-side applies, each of which changes its object. */
export const applies: Row = {
  name: 'applies',
  budget: 2,
  unit: '×',
  better: 'more',
  needs: 'real-kubernetes',
  measure: (kubernetes) => compared(kubernetes, 'apply'),
}

/** Both clients by turns, after a round of each that does not count. */
async function compared(kubernetes: RealKubernetes, of: Round['of']): Promise<Measurement> {
  const { kubeconfig } = kubernetes
  if (of === 'read') await createConfigMaps(kubernetes, 'read')
  await using ours = await startSubject<OurCalls>('our-calls')
  await using theirs = await startSubject<ClientNodeCalls>('client-node-calls')
  await ours.ask('connect', kubeconfig)
  await theirs.ask('connect', kubeconfig)
  const round = { of, objects: OBJECTS, atOnce: AT_ONCE, seconds: SECONDS }
  const rates: { ours: number; theirs: number }[] = []
  for (let turn = 0; turn <= ROUNDS; turn++) {
    rates.push({
      // Objects of its own for each client: what one applied is in the other's way.
      ours: await ours.ask('round', { ...round, prefix: of === 'read' ? of : 'ours' }),
      theirs: await theirs.ask('round', { ...round, prefix: of === 'read' ? of : 'theirs' }),
    })
  }
  const counted = rates.slice(1)
  const oursPerSecond = median(counted.map(({ ours }) => ours))
  const theirsPerSecond = median(counted.map(({ theirs }) => theirs))
  return {
    value: oursPerSecond / theirsPerSecond,
    detail: [
      `${shown(oursPerSecond)}/s to ${shown(theirsPerSecond)}/s of @kubernetes/client-node ${clientNode.version}`,
      `ConfigMaps of 4 KB, ${AT_ONCE} calls at once, median of ${ROUNDS} rounds of ${SECONDS} s by turns`,
      'our limit set to 1,000,000/s (as shipped: 500/s), theirs has none, and the server’s flow control exempts administrators',
    ].join('; '),
  }
}

async function createConfigMaps({ send }: RealKubernetes, prefix: string): Promise<void> {
  for (let index = 0; index < OBJECTS; index++) {
    const { status } = await send({
      method: 'PATCH',
      path: `/api/v1/namespaces/default/configmaps/${prefix}-${index}?fieldManager=bench`,
      contentType: 'application/apply-patch+yaml',
      body: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `${prefix}-${index}`, namespace: 'default' },
        data: contentOf(String(index)),
      },
    })
    if (status >= 300) throw new Error(`the server answered ${status} to a ConfigMap`)
  }
}
