import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '#test/bench/free-port.ts'
import { apis, type RunningApi } from '#test/conformance/apis.ts'
import { type Run, userOf } from '#test/conformance/commands.ts'
import { until } from '#test/until.ts'
import { QUICK_ELECTION, startDeployed } from './deployed-program.ts'

const CHART = 'charts/talos-operator'
const CRDS = 'charts/talos-operator-crds'
const NAMESPACE = 'talos-operator-system'
const ACCOUNT = `system:serviceaccount:${NAMESPACE}:talos-operator-controller-manager`

const aCluster = (namespace: string, name = 'prod') =>
  JSON.stringify({
    ...{ apiVersion: 'vitistack.io/v1alpha1', kind: 'KubernetesCluster' },
    metadata: { namespace, name },
    spec: {
      ...{ kubernetesVersion: 'v1.35.0', talosVersion: 'v1.13.0' },
      ...{ clusterEndpoint: 'https://192.0.2.1:6443', controlPlane: { replicas: 1 } },
    },
  })

describe.each(apis)('the chart of the operator on $name', ({ start }) => {
  let api: RunningApi
  let run: Run
  beforeAll(async () => {
    api = await start()
    run = await userOf(api.kubeconfig)
    for (const namespace of ['team-a', 'team-b']) await kubectl('create', 'namespace', namespace)
  })
  afterAll(() => api?.[Symbol.asyncDispose]())

  const succeeding = async (command: string, args: string[], input?: string): Promise<string> => {
    const { exitCode, stdout, stderr } = await run(command, args, input)
    if (exitCode !== 0) throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`)
    return stdout
  }
  const kubectl = (...args: string[]) => succeeding('kubectl', args)
  const helm = (...args: string[]) => succeeding('helm', args)
  const install = (...args: string[]) => {
    // Without it, values of before hold where none is given.
    const anew = ['--install', '--create-namespace', '--reset-values']
    return helm('upgrade', 'talos-operator', CHART, '--namespace', NAMESPACE, ...anew, ...args)
  }
  const apply = async (object: string) => {
    const applied = () => run('kubectl', ['apply', '-f', '-'], object)
    await until('it to be accepted', applied, ({ exitCode }) => exitCode === 0)
  }
  const established = async () => {
    // One that was made this moment has no conditions yet, which kubectl takes for an error.
    const wait = () => run('kubectl', ['wait', '--for=condition=Established', 'crd', '--all'])
    await until('the kinds', wait, ({ exitCode }) => exitCode === 0)
  }
  const names = async (...args: string[]) =>
    (await kubectl('get', ...args, '--output', 'name')).split('\n').filter(Boolean).sort()
  const allOfRelease = () =>
    names(
      'deployments,services,serviceaccounts,roles,rolebindings,networkpolicies,poddisruptionbudgets,clusterroles,clusterrolebindings',
      ...['--all-namespaces', '--selector', 'app.kubernetes.io/instance=talos-operator'],
    )
  /** What there is of the release anywhere, but for the roles that people can be given. */
  const ofRelease = async () =>
    (await allOfRelease()).filter((name) => !/-(viewer|editor|admin)-role$/.test(name))

  /** What the account is told, by an API that goes by its roles a moment after it has taken them. */
  const can = async (question: string, namespace: string) => {
    const args = [...question.split(' '), '--namespace', namespace, '--as', ACCOUNT]
    return (await run('kubectl', ['auth', 'can-i', ...args])).stdout.trim()
  }

  test('R53: it is installed, upgraded and uninstalled, and what users have made stays', async () => {
    const notes = await helm(
      ...['install', 'talos-operator', CHART, '--namespace', NAMESPACE, '--create-namespace'],
    )
    expect(notes).toContain('The CRDs are not installed')
    expect(notes).toMatch(
      /^WARNING: image\.repository is its default, vitistack\/talos-operator\./m,
    )
    await helm('install', 'talos-operator-crds', CRDS, '--namespace', NAMESPACE)
    await established()
    await apply(aCluster('team-a'))
    await apply(aCluster(NAMESPACE))
    const one = await ofRelease()
    expect(one).toEqual([
      'clusterrole.rbac.authorization.k8s.io/talos-operator',
      'clusterrolebinding.rbac.authorization.k8s.io/talos-operator-manager-rolebinding',
      'deployment.apps/talos-operator',
      'networkpolicy.networking.k8s.io/talos-operator-metrics',
      'role.rbac.authorization.k8s.io/talos-operator-leader-election',
      'rolebinding.rbac.authorization.k8s.io/talos-operator-leader-election',
      'service/talos-operator-metrics',
      'serviceaccount/talos-operator-controller-manager',
    ])

    const told = await install(
      ...['--set', 'replicaCount=2', '--set', 'ui.enabled=true'],
      ...['--set', 'image.repository=registry.example/talos-operator'],
    )
    expect(told).toMatch(/ui has no effect: there is no web UI yet/)
    expect(told).not.toContain('WARNING')
    expect(await ofRelease()).toEqual([...one, 'poddisruptionbudget.policy/talos-operator'].sort())
    const replicas = ['deployment/talos-operator', '--output', 'jsonpath={.spec.replicas}']
    expect(await kubectl('get', ...replicas, '--namespace', NAMESPACE)).toBe('2')
    await install()
    expect(await ofRelease()).toEqual(one)

    await helm('uninstall', 'talos-operator', '--namespace', NAMESPACE)
    await helm('uninstall', 'talos-operator-crds', '--namespace', NAMESPACE)
    expect(await allOfRelease()).toEqual([])
    expect(await names('crd')).toHaveLength(10)
    expect(await names('kc', '--all-namespaces')).toHaveLength(2)
    expect(await kubectl('get', 'kc', 'prod', '--namespace', NAMESPACE)).toContain('prod')
    await kubectl('delete', 'kc', '--all', '--all-namespaces')
  })

  test('a second one for all namespaces under the same name is refused', async () => {
    await install()

    const other = await run('helm', ['install', 'talos-operator', CHART, '--namespace', 'team-b'])

    expect(other.exitCode).not.toBe(0)
    expect(other.stderr).toContain('ClusterRole')
    await helm('uninstall', 'talos-operator', '--namespace', NAMESPACE)
  })

  describe('its account', () => {
    const always = [
      'list talosclusters.talos.alperen.cloud',
      'patch talosmachines.talos.alperen.cloud --subresource=status',
      'delete machines.vitistack.io',
      'create secrets',
      'create events.events.k8s.io',
      'watch ingresses.networking.k8s.io',
    ]
    /** What nothing but the published rules allows. */
    const published = [
      'update machines.vitistack.io',
      'create kubernetesclusters.vitistack.io',
      'create events',
      'update leases.coordination.k8s.io',
    ]
    const never = [
      '* *',
      'list secrets',
      'delete secrets',
      'create talosclusters.talos.alperen.cloud',
      'create pods',
      'update roles.rbac.authorization.k8s.io',
    ]
    const answers = async (questions: string[], namespace: string) => {
      const all = questions.map(async (one) => [one, await can(one, namespace)] as const)
      return Object.fromEntries(await Promise.all(all))
    }
    const expectAll = (questions: string[], answer: string, namespace: string) =>
      expect
        .poll(() => answers(questions, namespace), { timeout: 60_000 })
        .toEqual(Object.fromEntries(questions.map((one) => [one, answer])))
    beforeAll(async () => {
      await helm('upgrade', '--install', 'talos-operator-crds', CRDS, '--namespace', NAMESPACE)
      await established()
    })
    const kindsToFollow = ['--set', 'machineRefKinds={networking.k8s.io/v1/Ingress}']

    test('may do everywhere what its controllers declare and what is published, and no more', async () => {
      await install(...kindsToFollow)

      await expectAll([...always, ...published], 'yes', 'team-b')
      await expectAll(never, 'no', 'team-b')
      expect(await can('update leases.coordination.k8s.io', NAMESPACE)).toBe('yes')
    })

    test('may do it in the watched namespaces alone, where some are named', async () => {
      await install(...kindsToFollow, '--set', 'watchNamespaces={team-a}')

      await expectAll(always, 'yes', 'team-a')
      await expectAll(never, 'no', 'team-a')
      await expectAll(always, 'no', 'team-b')
      expect(await can('update leases.coordination.k8s.io', NAMESPACE)).toBe('yes')
      expect(await can('update leases.coordination.k8s.io', 'team-b')).toBe('no')
    })
  })

  describe('the program, started by hand as the Deployment says', () => {
    let folder: string
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'talos-operator-results-'))
      await install()
      await helm('upgrade', '--install', 'talos-operator-crds', CRDS, '--namespace', NAMESPACE)
      await established()
    })
    afterAll(() => rm(folder, { recursive: true, force: true }))

    test.each([
      { where: 'everywhere', watched: [] },
      { where: 'in one namespace', watched: ['team-a'] },
    ])('works $where, and asks for nothing that it may not have', async ({ where, watched }) => {
      const [metrics, probes] = [await freePort(), await freePort()]
      const results = join(folder, where)
      const name = where.replaceAll(' ', '-')
      await install(
        ...['--set', `metrics.port=${metrics},probes.port=${probes},results.path=${results}`],
        ...[
          '--set',
          `extraArgs={${QUICK_ELECTION}}`,
          '--set-json',
          `watchNamespaces=${JSON.stringify(watched)}`,
        ],
      )
      for (const team of ['team-b', 'team-a']) await apply(aCluster(team, `${team}-${name}`))
      const worked = watched.length > 0 ? watched : ['team-a', 'team-b']
      for (const team of worked) {
        const allowed = () => can('watch kubernetesclusters.vitistack.io', team)
        await until('the API to know the roles', allowed, (said) => said === 'yes')
      }

      const place = { namespace: NAMESPACE, deployment: 'talos-operator', pod: `pod-${name}` }
      await using program = await startDeployed(run, api, place)
      const answer = (port: number, path: string) =>
        fetch(`http://127.0.0.1:${port}${path}`).then(
          async (response) => ({ status: response.status, text: await response.text() }),
          () => ({ status: 0, text: '' }),
        )
      await until(
        'it to be ready',
        async () => ({ ...(await answer(probes, '/readyz')), log: await program.log() }),
        ({ status }) => status === 200,
      )
      for (const team of worked) {
        const file = `${team}-${name}-cp-0.yaml`
        const files = () => readdir(join(results, `${team}-${name}`)).catch((): string[] => [])
        await until('the file of a Machine', files, (seen) => seen.includes(file))
      }

      const holder = ['--output', 'jsonpath={.spec.holderIdentity}', '--namespace', NAMESPACE]
      expect(await kubectl('get', 'lease', 'talos-operator', ...holder)).toContain(`pod-${name}_`)
      expect((await answer(probes, '/healthz')).status).toBe(200)
      expect((await answer(metrics, '/metrics')).text).toContain('talos_operator_')
      const machines = await names('machines.vitistack.io', '--all-namespaces')
      expect(machines.filter((one) => one.includes(name))).toEqual(
        worked.map((team) => `machine.vitistack.io/${team}-${name}-cp-0`),
      )
      const lines = (await program.log()).split('\n')
      expect(lines.filter((line) => /forbidden|"level":"error"/.test(line))).toEqual([])
    })
  })
})
