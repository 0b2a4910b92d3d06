import { expect, test } from 'vitest'
import { kinds } from '#api/kinds.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { startSimulation } from '#simulator/start-simulation.ts'
import { anApi } from '#test/an-api.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'
import { quietLog } from '#test/quiet-log.ts'
import { until } from '#test/until.ts'
import { run } from './a-terminal.cases.ts'
import { startProvider } from './simulate-provider.ts'

test('an API without Machines is said to be one', async () => {
  await using api = await anApi()

  const { err, exitCode } = await run('simulate', '--provider', '--kubeconfig', api.kubeconfig)

  expect(exitCode).toBe(1)
  expect(err).toContain('the Machines (vitistack.io) of the API cannot be listed')
})

test('a provider of a name makes the Machines that ask for it, and leaves nothing running', async () => {
  await using api = await anApi({ kinds })
  await using simulation = await startSimulation({ machines: [], log: quietLog(), speed: Infinity })
  const client = await clientOf(api)
  const namespace = 'default'
  for (const [name, provider] of Object.entries({ own: 'mine', other: 'simulated' })) {
    await client.create(ProvidedMachine, { metadata: { name, namespace }, spec: { provider } })
  }
  {
    await using _provider = await startProvider(
      { provider: 'mine', kubeconfig: api.kubeconfig, namespace: [namespace] },
      {
        ...{ simulation, addresses: ['127.63.90.1', '127.63.90.2'], talosVersion: 'v1.13.0' },
        ...{ log: quietLog(), signal: new AbortController().signal },
      },
    )
    await until(
      'the machine to run',
      () => client.get(ProvidedMachine, { name: 'own', namespace }),
      ({ status }) => status?.phase === 'Running',
    )
  }
  const other = await client.get(ProvidedMachine, { name: 'other', namespace })
  client.close()

  expect(simulation.fleet.machines.map(({ address }) => address)).toEqual(['127.63.90.1'])
  expect(other.status).toBeUndefined()
})
