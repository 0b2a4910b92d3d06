import { expect, test } from 'vitest'
import { deploymentOf } from './deployment.ts'
import { scrapedEndpoint, scrapeMonitor } from './metrics-objects.ts'
import { readSettings } from './settings.ts'

const WHERE = { namespace: 'talos-operator-system', namespaces: [] }

const containerOf = (wanted: Parameters<typeof deploymentOf>[0]) => {
  const [container] = deploymentOf(wanted).spec.template.spec.containers
  if (!container) throw new Error('there is no container')
  return container
}

/** What the operator makes of its arguments and variables. */
function settingsOf({ args, env }: ReturnType<typeof containerOf>) {
  const flags = args.slice(1).map((arg) => {
    const [, name = '', value] = /^--([^=]+)=(.*)$/.exec(arg) ?? []
    return [name.replace(/-(.)/g, (_, letter) => letter.toUpperCase()), value]
  })
  const variables = env.map(({ name, value }) => [name, value])
  return readSettings({ flags: Object.fromEntries(flags), env: Object.fromEntries(variables) })
}

test('the program understands what the Deployment tells it', () => {
  const machineRefKinds = [
    { group: 'metal.example', version: 'v1', kind: 'Server' },
    { group: '', version: 'v1', kind: 'Node' },
  ]
  const namespaces = ['team-a', 'team-b']
  const container = containerOf({ ...WHERE, namespaces, machineRefKinds })

  expect(container.args[0]).toBe('run')
  expect(settingsOf(container)).toMatchObject({
    ...{ namespaces, machineRefKinds, enableMetaKey: true, notes: [] },
    ...{ metricsBindAddress: { port: 8080 }, healthProbeBindAddress: { port: 8081 } },
  })
})

test('A35: what it writes to is a volume, and its path is a whole one', () => {
  const container = containerOf(WHERE)

  const { resultsPath } = settingsOf(container)
  expect(resultsPath).toMatch(/^\//)
  expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual([resultsPath])
  expect(deploymentOf(WHERE).spec.template.spec.volumes).toEqual([
    { name: 'results', emptyDir: {} },
  ])
})

test('A29: garbage is collected before the memory is full', () => {
  const { env, resources } = containerOf(WHERE)

  expect(resources.limits.memory).toBe('128Mi')
  expect(env).toContainEqual({ name: 'NODE_OPTIONS', value: '--max-old-space-size=80' })
})

test('who asks for metrics or probes finds the ports of the container', () => {
  const { ports, livenessProbe, readinessProbe } = containerOf(WHERE)
  const names = ports.map(({ name }) => name)
  const { labels } = deploymentOf(WHERE).spec.template.metadata
  const endpoint = scrapedEndpoint(WHERE.namespace)

  expect(names).toContain(livenessProbe.httpGet.port)
  expect(names).toContain(readinessProbe.httpGet.port)
  expect(names).toContain(endpoint.spec.ports[0]?.targetPort)
  expect(labels).toMatchObject(endpoint.spec.selector)
  const { endpoints, selector } = scrapeMonitor(WHERE.namespace).spec
  expect(endpoint.metadata.labels).toMatchObject(selector.matchLabels)
  expect(endpoints.map(({ port }) => port)).toEqual(endpoint.spec.ports.map(({ name }) => name))
})
