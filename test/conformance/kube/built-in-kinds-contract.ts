import { describe, expect, test } from 'vitest'
import { ConfigMap, Pod } from '#api/foreign.ts'
import type { ApiKind, ForeignKind, KubeObject } from '#api/meta.ts'
import { systemClock } from '#base/clock.ts'
import { isOverBudget } from '#kube/api-error.ts'
import { Discovery } from '#kube/discovery.ts'
import type { Api } from '#test/conformance/apis.ts'
import { until } from '#test/until.ts'
import { clientOfBlock } from './client-of.ts'

const namespace = 'default'
const { signal } = new AbortController()

interface Spec extends KubeObject {
  spec?: object
}

const kindOf = (group: string, kind: string, plural: string): ForeignKind<Spec> => ({
  group,
  version: 'v1',
  kind,
  plural,
  scope: 'Namespaced',
})

const Deployment = kindOf('apps', 'Deployment', 'deployments')
const Budget = kindOf('policy', 'PodDisruptionBudget', 'poddisruptionbudgets')
const APod: ForeignKind<Spec> = Pod

const labels = { app: 'a' }
const podSpec = { containers: [{ name: 'a', image: 'none.example/a' }] }

/** What our client promises of kinds that are not ours. */
export const builtInKindsContract = ({ name, start }: Api) =>
  describe(`what only a whole API has, on ${name}`, () => {
    const client = clientOfBlock(start)

    test('built-in kinds are found by what a user writes', async () => {
      const discovery = new Discovery({ client: client(), clock: systemClock })
      const find = (apiVersion: string, kind: string) =>
        discovery.kindOf({ apiVersion, kind }, signal)

      expect(await find('apps/v1', 'Deployment')).toMatchObject({
        ...Deployment,
        verbs: expect.arrayContaining(['get', 'list', 'watch', 'create', 'patch']),
        subresources: expect.arrayContaining(['scale', 'status']),
      })
      expect(await find('v1', 'Pod')).toMatchObject({
        plural: 'pods',
        subresources: expect.arrayContaining(['eviction', 'status']),
      })
      expect(await find('v1', 'Node')).toMatchObject({ plural: 'nodes', scope: 'Cluster' })
      expect(await find('apps/v1', 'Deploiment')).toBeUndefined()
      expect(await find('apps/v9', 'Deployment')).toBeUndefined()
      expect(await find('nobody.example/v1', 'Thing')).toBeUndefined()
    })

    test('what is missing is told apart from what is not served', async () => {
      const find = (kind: ApiKind) => client().find(kind, { namespace, name: 'missing' })

      expect(await find(ConfigMap)).toBeUndefined()
      await expect(find(kindOf('', 'Gadget', 'gadgets'))).rejects.toMatchObject({ status: 404 })
      await expect(find(kindOf('nobody.example', 'Gadget', 'gadgets'))).rejects.toMatchObject({
        status: 404,
      })
    })

    test('an object is scaled, down to nothing', async () => {
      const ref = { namespace, name: 'scaled' }
      const template = { metadata: { labels }, spec: podSpec }
      await client().create(Deployment, {
        metadata: ref,
        spec: { replicas: 2, selector: { matchLabels: labels }, template },
      })

      expect(await client().scale(Deployment, ref)).toMatchObject({
        spec: { replicas: 2 },
        status: { selector: 'app=a' },
      })
      expect(await client().setScale(Deployment, ref, { replicas: 0 })).toMatchObject({
        metadata: { name: 'scaled' },
        spec: { replicas: 0 },
      })
      expect((await client().scale(Deployment, ref)).spec).toEqual({ replicas: 0 })
    })

    test('a pod is evicted, unless a budget forbids it', async () => {
      const ref = { namespace, name: 'evicted' }
      // Without one, and without the controller that makes one, no pod may be made.
      const ServiceAccount = kindOf('', 'ServiceAccount', 'serviceaccounts')
      await client()
        .create(ServiceAccount, { metadata: { namespace, name: 'default' } })
        .catch(() => {})
      const { metadata } = await until(
        'a pod',
        () =>
          client()
            .create(APod, { metadata: { ...ref, labels }, spec: podSpec })
            .catch((): KubeObject => ({ metadata: { name: '' } })),
        (made) => made.metadata.name === ref.name,
      )
      // A budget counts only pods that run.
      const status = { phase: 'Running' }
      await client().patch(
        APod,
        { ...ref, subresource: 'status' },
        { type: 'merge', body: { status } },
      )
      const selector = { matchLabels: labels }
      const budget = { metadata: { namespace, name: 'b' }, spec: { minAvailable: 1, selector } }
      await client().create(Budget, budget)

      const startMs = systemClock.monotonicMs()
      const refused = await client()
        .evict(ref)
        .catch((error: unknown) => error)
      expect(refused).toMatchObject({ status: 429, reason: 'TooManyRequests' })
      expect(isOverBudget(refused)).toBe(true)
      expect(systemClock.monotonicMs() - startMs).toBeLessThan(2_000)

      await client().remove(Budget, { namespace, name: 'b' })
      await client().evict(ref, {
        gracePeriodSeconds: 0,
        preconditions: { uid: metadata.uid ?? '' },
      })
      expect(await client().find(APod, ref)).toBeUndefined()
    })
  })
