import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '#test/until.ts'
import { type ASimulation, aSimulation, type Done } from './a-simulation.ts'

// Real talosctl v1.13.0 as the client of pretend machines: two clusters' worth of commands, in the order
// in which a cluster lives. Each test takes the cluster as the one before left it.

let it: ASimulation

beforeAll(async () => {
  it = await aSimulation('127.71.0', 5)
  await until(
    'maintenance mode',
    async () => it.simulation.fleet.machines.map(({ stage }) => stage),
    (stages) => stages.every((stage) => stage === 'maintenance'),
  )
}, 300_000)

afterAll(() => it?.[Symbol.asyncDispose]())

async function succeeds(args: string, role?: string): Promise<string> {
  const { exitCode, text } = await it.talosctl(args, role)
  expect({ args, exitCode, text: exitCode === 0 ? '' : text }).toEqual({
    args,
    exitCode: 0,
    text: '',
  })
  return text
}

const ready = () =>
  until(
    'a cluster that is ready',
    async () => it.simulation.fleet.machines.map(({ stage, isReady }) => `${stage} ${isReady}`),
    (states) => states.every((state) => state === 'running true'),
  )

describe('in maintenance mode', () => {
  test('anyone may ask what a machine is', async () => {
    expect(await succeeds(`version --insecure -n ${it.address(1)}`)).toMatch(
      /Server:[\s\S]*v1\.13\.0/,
    )
    expect(await succeeds(`get machinestatus --insecure -n ${it.address(1)}`)).toMatch(
      /machine +\d+ +maintenance +true/,
    )
    expect(await succeeds(`get disks --insecure -n ${it.address(1)} -o yaml`)).toContain(
      'dev_path: /dev/sda',
    )
  })

  test('nobody sees secrets, and those with a certificate are not let in', async () => {
    const secret = await it.talosctl(`get osrootsecrets --insecure -n ${it.address(1)}`)
    const known = await it.talosctl('version')

    expect(secret).toMatchObject({ exitCode: 1, text: expect.stringContaining('PermissionDenied') })
    expect(known.text).toContain('certificate signed by unknown authority')
  })

  test('a configuration that is none is refused with what is wrong', async () => {
    const { exitCode, text } = await it.talosctl(
      `apply-config --insecure -n ${it.address(1)} -f talosconfig-admin`,
    )

    expect(exitCode).toBe(1)
    expect(text).toContain('InvalidArgument')
  })

  test('all machines take their configuration', async () => {
    for (const [machine, role] of [
      ...[1, 2, 3].map((machine) => [machine, 'controlplane'] as const),
      ...[4, 5].map((machine) => [machine, 'worker'] as const),
    ]) {
      const text = await succeeds(
        `apply-config --insecure -n ${it.address(machine)} -f ${role}.yaml`,
      )
      expect(text).toContain('Applied configuration without a reboot')
    }
  })
})

describe('a cluster', () => {
  test('is bootstrapped once', async () => {
    await until(
      'bootstrap to be accepted',
      () => it.talosctl('bootstrap'),
      ({ exitCode }: Done) => exitCode === 0,
    )
    await ready()
    const again = await it.talosctl('bootstrap')

    expect(again.text).toContain('AlreadyExists desc = etcd data directory is not empty')
  })

  test('shows its members, services and resources, as tables and as YAML', async () => {
    const members = await succeeds('get members')
    const services = await succeeds('services')
    const yaml = await succeeds('get machinestatus -o yaml')

    expect(members.match(/controlplane/g)).toHaveLength(3)
    expect(services).toMatch(/etcd +Running +OK/)
    expect(yaml).toMatch(/stage: running\n +status:\n +ready: true/)
    expect(await succeeds('get machineconfig -o yaml')).toContain('clusterName: one')
  })

  test('is healthy, by its own account and by that of talosctl', async () => {
    expect(await succeeds('health --wait-timeout 60s')).toContain(
      'waiting for all k8s nodes to report ready: OK',
    )
    expect(await succeeds('health --wait-timeout 60s --server=false')).toContain(
      'waiting for all k8s nodes to report schedulable: OK',
    )
  })

  test('has an etcd whose members, status and database can be seen', async () => {
    const members = await succeeds('etcd members')
    const status = await succeeds(`etcd status -n ${it.address(1)},${it.address(2)}`)

    expect(members.match(/https:\/\/127\.71\.0\.\d:2380/g)).toHaveLength(3)
    expect(status.match(/\b3\.6\.\d+ +3\.6\.0/g)).toHaveLength(2)
    expect(await succeeds('etcd snapshot db.snapshot')).toMatch(/snapshot info: hash \w+, revision/)
    expect(await succeeds('etcd alarm list')).not.toContain('NOSPACE')
    await succeeds('etcd defrag')
    await succeeds('etcd forfeit-leadership')
  })

  test('gives out a kubeconfig with which kubectl lists its nodes', async () => {
    await succeeds('kubeconfig kubeconfig')
    const { exitCode, text } = await it.kubectl('get nodes')

    expect({ exitCode, text: exitCode === 0 ? '' : text }).toEqual({ exitCode: 0, text: '' })
    expect(text.match(/ Ready .*v1\.36\.0/g)).toHaveLength(5)
  })

  test('answers what else talosctl asks', async () => {
    for (const args of [
      ...['memory', 'processes', 'stats', 'containers', 'mounts', 'netstat', 'time', 'usage /'],
      ...['dmesg', 'logs apid', 'image list', 'list /etc', 'inspect dependencies', 'get rd'],
      ...['config new --roles os:reader new-talosconfig', 'read /proc/sys/kernel/random/boot_id'],
      ...['get addresses', 'get links', 'get nodename', 'get staticpods', 'get volumestatus'],
    ]) {
      await succeeds(args)
    }
    expect(await readFile(join(it.folder, 'new-talosconfig'), 'utf8')).toContain('reader@one')
  })

  test('lets talosctl plan an upgrade of Kubernetes and a rotation of its authorities', async () => {
    expect(await succeeds('upgrade-k8s --to 1.36.1 --dry-run')).toContain(
      'update kube-apiserver: v1.36.0 -> 1.36.1',
    )
    expect(await succeeds('rotate-ca --dry-run --talos=false')).toContain('no changes were made')
    // A dry run leaves this talosctl without the talosconfig that it then wants to use, so it ends with an error.
    const { text } = await it.talosctl('rotate-ca --dry-run --kubernetes=false')
    expect(text).toContain('no changes were made')
    expect(text).toMatch(/failed to create new client with rotated Talos CA[^\n]*\n$/)
  })
})

describe('calls for others', () => {
  test('are passed on by control planes, to one machine or to many', async () => {
    const one = await succeeds(`version --short -n ${it.address(4)}`)
    const many = await succeeds(`version --short -n ${it.address(2)},${it.address(5)}`)

    expect(one).toContain(`NODE:        ${it.address(4)}`)
    expect(many.match(/NODE: {8}127\.71\.0\.[25]/g)).toHaveLength(2)
  })

  test('are refused by workers, but for calls to themselves', async () => {
    const other = await it.talosctl(`version -e ${it.address(4)} -n ${it.address(1)}`)

    expect(other.text).toContain('code = PermissionDenied desc = no request forwarding')
    await succeeds(`version -e ${it.address(4)} -n ${it.address(4)}`)
  })

  test('tell which of the machines could not be reached, and why', async () => {
    const { text } = await it.talosctl(`version --short -n ${it.address(1)},127.71.0.99`)

    expect(text).toContain('Tag:         v1.13.0')
    expect(text).toMatch(
      /127\.71\.0\.99: rpc error: code = Unavailable .*dial tcp 127\.71\.0\.99:50000/,
    )
  })
})

describe('roles', () => {
  test.each([
    ['reader', 'reboot --wait=false'],
    ['reader', 'read /etc/hostname'],
    ['reader', 'get machineconfig'],
    ['operator', 'reset --wait=false'],
    ['operator', 'kubeconfig other'],
    ['etcd:backup', 'services'],
  ])('%s may not: %s', async (role, args) => {
    const { exitCode, text } = await it.talosctl(args, role)

    expect(exitCode).toBe(1)
    expect(text).toContain('code = PermissionDenied desc = not authorized')
  })

  test.each([
    ['reader', 'get members'],
    ['operator', 'etcd snapshot operator.snapshot'],
    ['etcd:backup', 'etcd snapshot backup.snapshot'],
  ])('%s may: %s', async (role, args) => {
    await succeeds(args, role)
  })
})

describe('machines', () => {
  test('reboot, and talosctl sees them come back', async () => {
    expect(await succeeds(`reboot -n ${it.address(5)} --timeout 80s`)).toContain(
      'post check passed',
    )
    await ready()
  })

  test('are upgraded, drained before and schedulable again after', async () => {
    const image = 'ghcr.io/siderolabs/installer:v1.13.1'
    await succeeds(`upgrade -n ${it.address(4)} --image ${image} --timeout 80s`)

    expect(await succeeds(`version --short -n ${it.address(4)}`)).toContain('v1.13.1')
    await ready()
  })

  test('leave etcd, and a member that there is not cannot be removed', async () => {
    await succeeds(`etcd leave -n ${it.address(3)}`)
    const left = await succeeds('etcd members')
    const unknown = await it.talosctl('etcd remove-member 1234')

    expect(left.match(/:2380/g)).toHaveLength(2)
    expect(unknown.text).toContain('NotFound')
  })

  test('that are gone are removed from etcd by their id', async () => {
    // It left etcd before, and joins again with the next boot.
    await succeeds(`reboot -n ${it.address(3)} --timeout 80s`)
    await ready()
    const member = new RegExp(` ([0-9a-f]{16}) +\\S+ +https://${it.address(3)}:2380`)
    const [, id] = member.exec(await succeeds('etcd members')) ?? []
    await succeeds(`shutdown -n ${it.address(3)} --wait=false`)
    await until(
      'a machine that is off',
      async () => it.simulation.fleet.machine(it.address(3))?.isOn,
      (isOn) => isOn === false,
    )
    const before = await succeeds('etcd members')
    await succeeds(`etcd remove-member ${id}`)
    const after = await succeeds('etcd members')

    expect(before).toMatch(member)
    expect(after).not.toMatch(member)
    expect(after.match(/:2380/g)).toHaveLength(2)
  })

  test('are reset, and wait for a configuration again', async () => {
    await succeeds(
      `reset -n ${it.address(5)} --graceful=false --reboot --wait=false --system-labels-to-wipe STATE --system-labels-to-wipe EPHEMERAL`,
    )
    await until(
      'maintenance mode',
      () => it.talosctl(`get machinestatus --insecure -n ${it.address(5)}`),
      ({ text }) => text.includes('maintenance'),
    )
  })
})

describe('an etcd that has lost its majority', () => {
  const RESET = '--graceful=false --reboot --system-labels-to-wipe=EPHEMERAL --timeout 80s'

  const etcdSays = (words: RegExp) =>
    until(
      `etcd to say ${words}`,
      () => it.talosctl('service etcd'),
      ({ text }: Done) => words.test(text),
    )

  /** As a user does it: everything that etcd has on the machine goes, and it waits for a bootstrap. */
  async function emptied(): Promise<void> {
    await succeeds(`reset ${RESET}`)
    await etcdSays(/STATE +Preparing/)
  }

  const configMap = () => it.kubectl('get configmap kept -o jsonpath={.data.a}')

  test('leaves its database as a file, which is no snapshot', async () => {
    await it.kubectl('create configmap kept --from-literal=a=b')
    await succeeds(`shutdown -n ${it.address(2)} --force --wait=false`)
    await etcdSays(/HEALTH +Fail/)
    const missing = await it.talosctl('cp /var/lib/etcd/member/snap/none none')
    await succeeds('cp /var/lib/etcd/member/snap/db copied')
    await succeeds('etcd snapshot lost.snapshot')
    const copy = await readFile(join(it.folder, 'copied', 'db'))
    const snapshot = await readFile(join(it.folder, 'lost.snapshot'))

    expect(missing.exitCode).toBe(1)
    expect(missing.text).toContain('lstat /var/lib/etcd/member/snap/none: no such file')
    expect(copy.equals(snapshot.subarray(0, -32))).toBe(true)
  })

  test('does not begin with that file while its sum is asked for', async () => {
    await emptied()
    const gone = await it.talosctl('cp /var/lib/etcd/member/snap/db again')
    await succeeds('bootstrap --recover-from=./copied/db')
    await etcdSays(/STATE +Failed[\s\S]*snapshot missing hash but --skip-hash-check=false/)
    const again = await it.talosctl('bootstrap --recover-from=./copied/db')

    expect(gone.text).toContain('no such file')
    expect(again.text).toContain('AlreadyExists desc = etcd data directory is not empty')
  })

  test('begins anew with that file, with one member and all that there was', async () => {
    await emptied()
    expect(
      await succeeds('bootstrap --recover-from=./copied/db --recover-skip-hash-check'),
    ).toContain('recovering from snapshot')
    await etcdSays(/HEALTH +OK/)
    const kept = await until('an API', configMap, ({ exitCode }: Done) => exitCode === 0)

    expect(kept.text).toBe('b')
    expect((await succeeds('etcd members')).match(/:2380/g)).toEqual([':2380'])
  })

  test('begins anew with a snapshot, whose sum is looked at', async () => {
    await emptied()
    await succeeds('bootstrap --recover-from=./lost.snapshot')
    await etcdSays(/HEALTH +OK/)
    const kept = await until('an API', configMap, ({ exitCode }: Done) => exitCode === 0)

    expect(kept.text).toBe('b')
  })
})
