import { expect, test } from 'vitest'
import { aControlPlane, aMachine, aWorker, aWorkerMachine } from '#test/builders.ts'
import { editsText, orderText } from './upgrade-k8s-text.ts'

const older = aWorker({ metadata: { name: 'older' }, spec: { kubeVersion: 'v1.34.0' } })
const found = {
  ...{ controlPlane: aControlPlane(), pools: [aWorker(), older], clusters: [], shapes: [] },
  machines: [aMachine(), aWorkerMachine()],
}

test('the order is that of the operator, with the machines, and without pools that stay', () => {
  const text = orderText(found, { followed: ['pool'], waits: undefined })

  expect(text).toMatch(/^Nothing speaks against it\.\n/)
  expect(text.match(/^ {2}\d\. .*$/gm)).toEqual([
    '  1. the API servers: prod-192.0.2.1',
    '  2. the controller managers: prod-192.0.2.1',
    '  3. the schedulers: prod-192.0.2.1',
    '  4. what kube-proxy is to be: prod-192.0.2.1',
    '  5. the kubelets of the control plane: prod-192.0.2.1',
    '  6. the kubelets of the workers, TalosWorker pool: pool-192.0.2.21',
    '  7. what Talos runs in the cluster itself',
  ])
})

test('what keeps it from beginning is said, and that more may', () => {
  expect(orderText(found, { followed: [], waits: 'Paused: so' })).toMatch(
    /^It would wait, and what else speaks against it is looked at then: Paused: so\n/,
  )
})

test('where nothing is to be edited that is said, and who stays as it is', () => {
  expect(editsText({ edits: [], followed: [], left: [older] }, 'v1.35.0')).toBe(
    [
      'What would be edited:',
      '  nothing: the spec asks for v1.35.0 already',
      '  TalosWorker older stays with v1.34.0, for which it asks: older than its control plane\n\n',
    ].join('\n'),
  )
})
