import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apis, type RunningApi } from '#test/conformance/apis.ts'
import { type Run, userOf } from '#test/conformance/commands.ts'
import { until } from '#test/until.ts'

const TEAM = 'team-a'
const PEOPLE = ['viewer', 'editor', 'admin']

const aPool = (name: string) =>
  JSON.stringify({
    ...{ apiVersion: 'talos.alperen.cloud/v1alpha1', kind: 'TalosWorker' },
    metadata: { name, namespace: TEAM },
    spec: {
      ...{ version: 'v1.13.0', kubeVersion: 'v1.35.0', mode: 'metal' },
      ...{ controlPlaneRef: { name: 'prod' }, metalSpec: { machines: [{ address: '192.0.2.1' }] } },
    },
  })

// One of each sort has the role for TalosWorkers in one namespace, and does there what its name says.
describe.each(apis)('the roles for people on $name', ({ start }) => {
  let api: RunningApi
  let run: Run
  beforeAll(async () => {
    api = await start()
    run = await userOf(api.kubeconfig)
    for (const namespace of [TEAM, 'team-b']) await succeeding('create', 'namespace', namespace)
    await succeeding('apply', '--server-side', '-k', 'config/crd')
    await succeeding('apply', '--server-side', '-f', 'config/rbac/user-roles.yaml')
    for (const who of PEOPLE) {
      const role = `--clusterrole=talos-operator-talosworker-${who}-role`
      await succeeding('create', 'rolebinding', who, role, `--user=${who}`, '--namespace', TEAM)
      await until(
        'the API to know the role, and the kind',
        () => as(who, 'get', 'talosworkers'),
        ({ exitCode }) => exitCode === 0,
      )
    }
  })
  afterAll(() => api?.[Symbol.asyncDispose]())

  const succeeding = async (...args: string[]): Promise<void> => {
    const { exitCode, stderr } = await run('kubectl', args)
    if (exitCode !== 0) throw new Error(`kubectl ${args.join(' ')}\n${stderr}`)
  }
  const as = (who: string, ...args: string[]) =>
    run('kubectl', [...args, '--namespace', TEAM, '--as', who])
  const create = (who: string, name: string) =>
    run('kubectl', ['create', '-f', '-', '--as', who], aPool(name))
  const pausing = ['--type=merge', '--patch', '{"spec":{"rolloutStrategy":{"paused":true}}}']
  const done = { exitCode: 0 }
  const forbidden = { exitCode: 1, stderr: expect.stringContaining('orbidden') }

  test('a viewer gets and lists, and neither makes nor edits nor deletes', async () => {
    expect(await create('editor', 'seen')).toMatchObject(done)

    expect(await as('viewer', 'get', 'talosworker', 'seen')).toMatchObject(done)
    expect((await as('viewer', 'get', 'talosworkers', '-o', 'name')).stdout).toContain('/seen\n')
    expect(await create('viewer', 'other')).toMatchObject(forbidden)
    expect(await as('viewer', 'patch', 'talosworker', 'seen', ...pausing)).toMatchObject(forbidden)
    expect(await as('viewer', 'delete', 'talosworker', 'seen')).toMatchObject(forbidden)
  })

  test('an editor makes, edits and deletes, and says nothing in the operator’s place', async () => {
    expect(await create('editor', 'edited')).toMatchObject(done)
    expect(await as('editor', 'patch', 'talosworker', 'edited', ...pausing)).toMatchObject(done)

    const saying = ['--subresource=status', '--type=merge', '--patch', '{"status":{}}']
    expect(await as('editor', 'patch', 'talosworker', 'edited', ...saying)).toMatchObject(forbidden)
    expect(await as('editor', 'delete', 'talosworker', 'edited')).toMatchObject(done)
  })

  test('an administrator may hand on what he has, and an editor not even all of that', async () => {
    const may = async (who: string, verb: string) =>
      (await as(who, 'auth', 'can-i', verb, 'talosworkers')).stdout.trim()

    expect([await may('admin', 'deletecollection'), await may('admin', '*')]).toEqual([
      'yes',
      'yes',
    ])
    expect([await may('editor', 'deletecollection'), await may('editor', '*')]).toEqual([
      ...['no', 'no'],
    ])
  })

  test.each(PEOPLE)(
    '%s: no other kind, no Secret and no other namespace is reached',
    async (who) => {
      expect(await as(who, 'get', 'talosmachines')).toMatchObject(forbidden)
      expect(await as(who, 'get', 'secrets')).toMatchObject(forbidden)
      const elsewhere = ['get', 'talosworkers', '--namespace', 'team-b', '--as', who]
      expect(await run('kubectl', elsewhere)).toMatchObject(forbidden)
    },
  )

  test('whoever may only view a namespace sees nothing of ours by that', async () => {
    const role = 'talos-operator-talosworker-viewer-role'
    const binding = ['rolebinding', 'onlooker', '--clusterrole=view', '--user=onlooker']
    await succeeding('create', ...binding, '--namespace', TEAM)
    await until(
      'the API to know the binding',
      () => as('onlooker', 'get', 'configmaps'),
      ({ exitCode }) => exitCode === 0,
    )

    expect(await as('onlooker', 'get', 'talosworkers')).toMatchObject(forbidden)
    const { stdout } = await run('kubectl', ['get', 'clusterrole', role, '-o', 'yaml'])
    expect(stdout).not.toContain('aggregate-to')
  })
})
