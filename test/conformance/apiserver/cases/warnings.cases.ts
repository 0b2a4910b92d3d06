import type { Fields } from '#apiserver/objects.ts'
import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import { APPLY, MERGE, pathIn, uncontrolled } from './objects.ts'

const named = (apiVersion: string, kind: string, rest: Fields): Fields => ({
  ...{ apiVersion, kind, metadata: { name: 'a' } },
  ...rest,
})

const pods = (...secrets: string[]): Fields => ({
  replicas: 0,
  selector: { matchLabels: { app: 'a' } },
  template: {
    metadata: { labels: { app: 'a' } },
    spec: {
      containers: [{ name: 'a', image: 'a' }],
      imagePullSecrets: secrets.map((name) => ({ name })),
    },
  },
})

const pair = { 'tls.crt': 'eA==', 'tls.key': 'eA==' }

/** Applied, applied again with nothing changed, and updated with nothing changed. */
const again = (kind: string, place: string, rest: Fields): Case => {
  const [version = '', plural = ''] = place.split(' ')
  return asking(`a ${kind} is applied and updated with no change`, async (stage) => {
    const path = pathIn(stage)(version, plural, 'a')
    const body = named(version, kind, rest)
    const options = { contentType: APPLY, show: uncontrolled }
    await stage.patch(`${path}?fieldManager=one`, body, options)
    await stage.patch(`${path}?fieldManager=one`, body, options)
    await stage.patch(`${path}?fieldManager=one&dryRun=All`, body, options)
    await stage.patch(path, {}, { contentType: MERGE, show: uncontrolled })
  })
}

const unchanged: Case[] = [
  again('Service', 'v1 services', {
    spec: { clusterIP: 'None', ports: [{ port: 80 }], externalIPs: ['192.0.2.1'] },
  }),
  again('Secret', 'v1 secrets', { type: 'kubernetes.io/tls', data: pair }),
  again('Endpoints', 'v1 endpoints', { subsets: [] }),
  again('ConfigMap', 'v1 configmaps', { data: { a: 'b' } }),
]

const scaled = (kind: string, plural: string, more: Fields = {}): Case =>
  asking(`a ${kind} whose pods are warned of is scaled`, async (stage) => {
    const path = pathIn(stage)('apps/v1', plural, 'a')
    const show = uncontrolled
    const spec = { ...pods('b', 'b'), ...more }
    await stage.post(pathIn(stage)('apps/v1', plural), named('apps/v1', kind, { spec }), { show })
    const scale = `${path}/scale`
    await stage.patch(scale, { spec: { replicas: 0 } }, { contentType: MERGE, show: statusless })
    await stage.patch(scale, { spec: { replicas: 1 } }, { contentType: MERGE, show: statusless })
  })

const statusless = (body: unknown): unknown => Object(body).spec

const scales: Case[] = [
  scaled('Deployment', 'deployments'),
  scaled('ReplicaSet', 'replicasets'),
  scaled('StatefulSet', 'statefulsets', { serviceName: 's' }),
]

/** Who is warned of what. */
export const warningsCases: Subject = {
  subject: 'warnings',
  cases: [...unchanged, ...scales],
}
