import { expect, test } from 'vitest'
import { anApi } from '#test/an-api.ts'
import { at } from '#test/conformance/apiserver/values.ts'

const APPLY = 'application/apply-patch+yaml'
const HERE = '/api/v1/namespaces/default'

test('a pod that goes at once is shown as marked, even if nothing is done', async () => {
  await using api = await anApi()
  const spec = { automountServiceAccountToken: false, containers: [{ name: 'a', image: 'a' }] }
  const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec }
  await api.send({ method: 'POST', path: `${HERE}/pods`, body })

  const dry = await api.send({ method: 'DELETE', path: `${HERE}/pods/a?dryRun=All` })
  const real = await api.send({ method: 'DELETE', path: `${HERE}/pods/a` })

  expect(at(dry.body, 'metadata', 'deletionGracePeriodSeconds')).toBe(0)
  expect(at(real.body, 'metadata', 'deletionGracePeriodSeconds')).toBe(0)
})

test('a service is made by way of its status, and looked at as a whole', async () => {
  await using api = await anApi()
  const path = `${HERE}/services/a/status?fieldManager=one`
  const head = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' } }
  const apply = (body: object) => api.send({ method: 'PATCH', path, contentType: APPLY, body })

  const bare = await apply(head)
  const whole = await apply({ ...head, spec: { ports: [{ port: 80 }] } })

  expect(at(bare.body, 'message')).toBe('Service "a" is invalid: spec.ports: Required value')
  expect(whole.status).toBe(201)
  expect(at(whole.body, 'spec', 'clusterIP')).toBeUndefined()
})

test('who applies a status does not own the labels that this leaves alone', async () => {
  await using api = await anApi()
  const path = '/apis/apps/v1/namespaces/default/deployments'
  const labels = { app: 'a' }
  const containers = [{ name: 'a', image: 'a' }]
  const spec = {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers } },
  }
  const head = { apiVersion: 'apps/v1', kind: 'Deployment' }
  await api.send({ method: 'POST', path, body: { ...head, metadata: { name: 'a', labels }, spec } })

  const applied = await api.send({
    method: 'PATCH',
    path: `${path}/a/status?fieldManager=one`,
    contentType: APPLY,
    body: { ...head, metadata: { name: 'a', labels: { app: 'b' } }, status: { replicas: 1 } },
  })

  expect(applied.status).toBe(200)
  expect(at(applied.body, 'metadata', 'labels')).toEqual(labels)
  expect(at(applied.body, 'metadata', 'managedFields', 0, 'fieldsV1')).toEqual({
    'f:status': { 'f:replicas': {} },
  })
})

test('a resourceVersion that is no number is refused, even where nothing is there', async () => {
  await using api = await anApi()
  const metadata = { name: 'a', resourceVersion: 'x' }
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata }
  const path = `${HERE}/configmaps/a?fieldManager=one`

  const answer = await api.send({ method: 'PATCH', path, contentType: APPLY, body })

  expect(at(answer.body, 'message')).toBe('strconv.ParseUint: parsing "x": invalid syntax')
})

test('an apply that changes nothing is warned of like one that does, and changes nothing', async () => {
  await using api = await anApi()
  const path = `${HERE}/services/a?fieldManager=one`
  const spec = { clusterIP: 'None', ports: [{ port: 80 }], externalIPs: ['192.0.2.1'] }
  const body = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec }
  const apply = () => api.send({ method: 'PATCH', path, contentType: APPLY, body })

  const [first, second] = [await apply(), await apply()]

  expect(first.warnings).toEqual(['spec.externalIPs is ignored for headless services'])
  expect(second.warnings).toEqual(first.warnings)
  expect(second.body).toEqual(first.body)
})
