import { expect, it } from 'vitest'
import { parseFault } from '#simulator/faults/parse-fault.ts'
import { type AFleet, aFleet, applying, configText } from '#simulator/fleet/a-fleet.cases.ts'
import type { ControlPlaneComponent } from '#simulator/kubernetes/cluster-kubernetes.ts'
import { FakeClock } from '#test/fake-clock.ts'
import type { SimulatedMachine } from './simulated-machine.ts'

const NEXT = 'registry.k8s.io/kube-apiserver:v1.35.1'

const live = (text: string) => applying(text, { mode: 'NO_REBOOT' })

/** The configuration of a control plane with one of its images of another version. */
const withVersion = (component: ControlPlaneComponent, version: string): string =>
  configText('controlplane').replace(`${component}:v1.35.0`, `${component}:${version}`)

const stateOf = ({ kubernetes }: AFleet, name: ControlPlaneComponent, address = '10.0.0.1') => {
  const { image, state } = kubernetes[0]?.controlPlanes.get(address)?.components[name] ?? {}
  return `${image?.split('/').at(-1)} ${state}`
}

const versionOf = (machine: SimulatedMachine | undefined): number | undefined =>
  machine?.resources.get('controlplane', 'APIServerConfigs.kubernetes.talos.dev', 'kube-apiserver')
    ?.version

const imagesOf = (machine: SimulatedMachine | undefined): string[] | undefined =>
  machine?.images.list('cri').map(({ name }) => name)

it('a machine that boots has its static pods at once', async () => {
  const fleet = aFleet(new FakeClock())
  const [machine] = await fleet.cluster(1, 0)

  expect(stateOf(fleet, 'kube-apiserver')).toBe('kube-apiserver:v1.35.0 running')
  expect(stateOf(fleet, 'kube-scheduler')).toBe('kube-scheduler:v1.35.0 running')
  expect(imagesOf(machine)).toContain('registry.k8s.io/kube-controller-manager:v1.35.0')
})

it('another image is fetched and started in its time, and nothing else begins anew', async () => {
  const fleet = aFleet(new FakeClock())
  const [machine] = await fleet.cluster(1, 0)
  const before = Number(versionOf(machine))
  machine?.applyConfiguration(live(withVersion('kube-apiserver', 'v1.35.1')))
  await fleet.seconds(1)
  const meanwhile = stateOf(fleet, 'kube-apiserver')
  const ready = machine?.isReady
  await fleet.seconds(30)

  expect(versionOf(machine)).toBe(before + 1)
  expect(meanwhile).toBe('kube-apiserver:v1.35.1 starting')
  expect(ready).toBe(false)
  expect(stateOf(fleet, 'kube-apiserver')).toBe('kube-apiserver:v1.35.1 running')
  expect(stateOf(fleet, 'kube-scheduler')).toBe('kube-scheduler:v1.35.0 running')
  expect(machine?.isReady).toBe(true)
  expect(imagesOf(machine)).toContain(NEXT)
})

it('a further flag is another configuration too, and the pod has it', async () => {
  const fleet = aFleet(new FakeClock())
  const [machine] = await fleet.cluster(1, 0)
  const before = Number(versionOf(machine))
  const flagged = configText('controlplane').replace(
    'apiServer:\n',
    'apiServer:\n        extraArgs: { v: "4" }\n',
  )
  machine?.applyConfiguration(live(flagged))
  await fleet.seconds(1)

  expect(versionOf(machine)).toBe(before + 1)
  expect(stateOf(fleet, 'kube-apiserver')).toBe('kube-apiserver:v1.35.0 starting')
  const pod = machine?.resources.get('k8s', 'StaticPods.kubernetes.talos.dev', 'kube-apiserver')
  expect(JSON.stringify(pod?.spec)).toContain('"--v=4"')
})

it('what was fetched before needs no registry', async () => {
  const fleet = aFleet(new FakeClock())
  const [machine] = await fleet.cluster(1, 0)
  void machine?.images.pull(NEXT, 'cri')
  await fleet.seconds(20)
  fleet.fleet.faults.add(parseFault('registry-refuses'))

  machine?.applyConfiguration(live(withVersion('kube-apiserver', 'v1.35.1')))
  await fleet.seconds(13)

  expect(stateOf(fleet, 'kube-apiserver')).toBe('kube-apiserver:v1.35.1 running')
})

it('an image that nobody has leaves the pod away until a registry has it', async () => {
  const fleet = aFleet(new FakeClock())
  const [machine] = await fleet.cluster(1, 0)
  const heal = fleet.fleet.faults.add(parseFault('registry-refuses,image=v1.35.1'))
  machine?.applyConfiguration(live(withVersion('kube-scheduler', 'v1.35.1')))
  await fleet.seconds(600)
  const meanwhile = [stateOf(fleet, 'kube-scheduler'), machine?.isReady]
  heal()
  await fleet.seconds(30)

  expect(meanwhile).toEqual(['kube-scheduler:v1.35.1 no-image', false])
  expect([stateOf(fleet, 'kube-scheduler'), machine?.isReady]).toEqual([
    ...['kube-scheduler:v1.35.1 running', true],
  ])
})

it('or until the configuration names the former image again, which is there', async () => {
  const fleet = aFleet(new FakeClock())
  const [machine] = await fleet.cluster(1, 0)
  fleet.fleet.faults.add(parseFault('registry-refuses'))
  machine?.applyConfiguration(live(withVersion('kube-apiserver', 'v1.35.99')))
  await fleet.seconds(60)
  const meanwhile = [stateOf(fleet, 'kube-apiserver'), fleet.kubernetes[0]?.isUp]
  machine?.applyConfiguration(live(configText('controlplane')))
  await fleet.seconds(13)

  expect(meanwhile).toEqual(['kube-apiserver:v1.35.99 no-image', false])
  expect(stateOf(fleet, 'kube-apiserver')).toBe('kube-apiserver:v1.35.0 running')
  expect(fleet.kubernetes[0]?.isUp).toBe(true)
})

it('the last configuration wins when another comes while a pod is being started', async () => {
  const fleet = aFleet(new FakeClock())
  const [machine] = await fleet.cluster(1, 0)
  machine?.applyConfiguration(live(withVersion('kube-apiserver', 'v1.35.1')))
  await fleet.seconds(3)
  machine?.applyConfiguration(live(withVersion('kube-apiserver', 'v1.35.2')))
  await fleet.seconds(8)
  const meanwhile = stateOf(fleet, 'kube-apiserver')
  await fleet.seconds(30)

  expect(meanwhile).toBe('kube-apiserver:v1.35.2 starting')
  expect(stateOf(fleet, 'kube-apiserver')).toBe('kube-apiserver:v1.35.2 running')
  expect(imagesOf(machine)).not.toContain(NEXT)
})

it('a machine that boots with an image that nobody has waits for it', async () => {
  const fleet = aFleet(new FakeClock())
  const [machine] = await fleet.cluster(1, 0)
  const heal = fleet.fleet.faults.add(parseFault('registry-refuses,image=v1.35.1'))
  const text = withVersion('kube-apiserver', 'v1.35.1')
  machine?.applyConfiguration(applying(text, { mode: 'STAGED' }))
  machine?.reboot('DEFAULT')
  await fleet.seconds(150)
  const meanwhile = stateOf(fleet, 'kube-apiserver')
  heal()
  await fleet.seconds(30)

  expect(meanwhile).toBe('kube-apiserver:v1.35.1 no-image')
  expect(stateOf(fleet, 'kube-apiserver')).toBe('kube-apiserver:v1.35.1 running')
})

it('nothing is started while there is no kubelet to start it', async () => {
  const fleet = aFleet(new FakeClock())
  const [machine] = await fleet.cluster(1, 0)
  const heal = fleet.fleet.faults.add(parseFault('registry-refuses,image=kubelet'))
  const both = withVersion('kube-scheduler', 'v1.35.1').replace(
    'kubelet:v1.35.0',
    'kubelet:v1.35.1',
  )
  machine?.applyConfiguration(live(both))
  await fleet.seconds(120)
  const meanwhile = stateOf(fleet, 'kube-scheduler')
  heal()
  await fleet.seconds(60)

  expect(meanwhile).toBe('kube-scheduler:v1.35.0 running')
  expect(stateOf(fleet, 'kube-scheduler')).toBe('kube-scheduler:v1.35.1 running')
})

it('nothing is left running of a pod whose machine loses power while it is started', async () => {
  const clock = new FakeClock()
  const fleet = aFleet(clock)
  const [machine] = await fleet.cluster(1, 0)
  machine?.applyConfiguration(live(withVersion('kube-apiserver', 'v1.35.1')))
  await fleet.seconds(5)
  await fleet.fleet[Symbol.asyncDispose]()
  await fleet.seconds(5)

  expect(clock.waiting).toBe(0)
})

it('what ends as soon as it begins is away until that is over', async () => {
  const fleet = aFleet(new FakeClock())
  const [machine] = await fleet.cluster(1, 0)
  const heal = fleet.fleet.faults.add(parseFault('static-pod-fails,image=kube-apiserver:v1.35.1'))
  machine?.applyConfiguration(live(withVersion('kube-apiserver', 'v1.35.1')))
  await fleet.seconds(120)
  const meanwhile = stateOf(fleet, 'kube-apiserver')
  heal()
  await fleet.seconds(30)

  expect(meanwhile).toBe('kube-apiserver:v1.35.1 crashing')
  expect(stateOf(fleet, 'kube-apiserver')).toBe('kube-apiserver:v1.35.1 running')
})
