import { expect, it } from 'vitest'
import { parseFault } from '#simulator/faults/parse-fault.ts'
import { aFleet, applying, configText, refusalOf } from '#simulator/fleet/a-fleet.cases.ts'
import { FakeClock } from '#test/fake-clock.ts'

const VOLUME = 'apiVersion: v1alpha1\nkind: VolumeConfig\nname: EPHEMERAL\n'
const text = configText('controlplane')
const withSysctl = text.replace(/^ {4}type: /m, '    sysctls:\n        a.b: "1"\n    type: ')
const withFile = text.replace(
  /^ {4}type: /m,
  '    udev:\n        rules:\n            - x\n    type: ',
)

it('modes that old machines do not know in maintenance mode are refused', async () => {
  const { boot } = aFleet(new FakeClock())
  const [old] = await boot(1, { talosVersion: 'v1.10.0' })
  const oldText = configText('controlplane', {
    talosVersion: 'v1.10.0',
    kubernetesVersion: '1.33.0',
  })

  expect(refusalOf(() => old?.applyConfiguration(applying(oldText, { mode: 'NO_REBOOT' })))).toBe(
    "Unimplemented: apply configuration --mode='no-reboot' is not supported in maintenance mode",
  )
  expect(old?.applyConfiguration(applying(oldText, { dryRun: true })).details).toBe(
    'Dry run summary:\nNode is running in maintenance mode and does not have a config yet.',
  )
})

it.each([
  [
    'v1.10.0',
    'Unknown: failed to parse config: ',
    'InvalidArgument: configuration validation failed: ',
  ],
  ['v1.13.0', 'InvalidArgument: ', 'InvalidArgument: '],
])(
  '%s refuses what it cannot read, and what is not valid, with its own codes',
  async (talosVersion, unread, invalid) => {
    const { boot } = aFleet(new FakeClock())
    const [machine] = await boot(1, { talosVersion })
    const apply = (bad: string) => refusalOf(() => machine?.applyConfiguration(applying(bad)))
    const own = configText('controlplane', { talosVersion, kubernetesVersion: '1.33.0' })

    expect(apply('machine: {foo: 1}')).toMatch(new RegExp(`^${unread}.*unknown keys found`, 's'))
    expect(apply(own.replace('persist: true', 'persist: false'))).toContain(
      `${invalid}1 error occurred:\n\t* v1alpha1.Config: 1 error occurred:\n\t* .persist should`,
    )
    expect(machine?.stage).toBe('maintenance')
    expect(
      machine?.events.kept.some(({ payload }) => payload.type === 'ConfigValidationErrorEvent'),
    ).toBe(true)
  },
)

it('a document that the version does not have is refused', async () => {
  const { boot } = aFleet(new FakeClock())
  const [machine] = await boot(1, { talosVersion: 'v1.7.0' })

  expect(refusalOf(() => machine?.applyConfiguration(applying(VOLUME)))).toContain(
    'Unknown: failed to parse config: error decoding document v1alpha1/VolumeConfig/EPHEMERAL',
  )
})

it('a configuration without machine and cluster keeps the machine in maintenance mode', async () => {
  const { boot, seconds } = aFleet(new FakeClock())
  const [machine] = await boot(1)
  machine?.applyConfiguration(applying(VOLUME))
  await seconds(60)

  expect(machine?.stage).toBe('maintenance')
  expect(machine?.config?.documents.map(({ kind }) => kind.kind)).toEqual(['VolumeConfig'])
  expect(
    machine?.resources.get('config', 'MachineConfigs.config.talos.dev', 'v1alpha1')?.spec,
  ).toBe(VOLUME)
})

it('a dry run tells what would be done, and does nothing', async () => {
  const { cluster } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  const dry = (wanted: string) => machine?.applyConfiguration(applying(wanted, { dryRun: true }))

  expect(dry(text)?.details).toBe(
    'Dry run summary:\nApplied configuration without a reboot (skipped in dry-run).\nConfig diff:\n\nNo changes.',
  )
  expect(dry(withFile)).toMatchObject({ mode: 'REBOOT', warnings: [] })
  expect(dry(withFile)?.details).toContain(
    'Applied configuration with a reboot (skipped in dry-run)',
  )
  expect(machine?.stage).toBe('running')
})

it('what is safe is taken at once, what is not needs a reboot', async () => {
  const { cluster, seconds } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  const apply = (wanted: string, mode: 'AUTO' | 'NO_REBOOT' | 'TRY') =>
    machine?.applyConfiguration(applying(wanted, { mode }))

  expect(apply(withSysctl, 'AUTO')).toMatchObject({ mode: 'NO_REBOOT' })
  for (const mode of ['NO_REBOOT', 'TRY'] as const) {
    expect(refusalOf(() => apply(withFile, mode))).toMatch(
      /^InvalidArgument: this config change can't be applied in immediate mode\ndiff:\n/,
    )
  }
  const bootId = machine?.bootId
  const auto = apply(withFile, 'AUTO')
  await seconds(120)

  expect(auto?.mode).toBe('REBOOT')
  expect(auto?.details).toContain('Applied configuration with a reboot: this config change')
  expect(machine?.bootId).not.toBe(bootId)
  expect(machine?.config?.legacy?.fields.machine).toHaveProperty('udev')
})

it('v1.14 never reboots for a configuration, and refuses to be asked for it', async () => {
  const { cluster, seconds } = aFleet(new FakeClock())
  const own = { talosVersion: 'v1.14.0' }
  const [machine] = await cluster(1, 0, own)
  const bootId = machine?.bootId
  const later = configText('controlplane', own).replace(
    /^ {4}type: /m,
    '    udev:\n        rules:\n            - x\n    type: ',
  )

  expect(machine?.applyConfiguration(applying(later))).toMatchObject({ mode: 'NO_REBOOT' })
  expect(refusalOf(() => machine?.applyConfiguration(applying(later, { mode: 'REBOOT' })))).toBe(
    'Unimplemented: the REBOOT mode is not supported, please use AUTO or NO_REBOOT modes instead',
  )
  await seconds(60)
  expect(machine?.bootId).toBe(bootId)
})

it('a staged configuration is in force after the next boot', async () => {
  const { cluster, seconds } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  const result = machine?.applyConfiguration(applying(withSysctl, { mode: 'STAGED' }))
  const before = machine?.config?.legacy?.fields.machine
  await seconds(1)
  const persistent = machine?.resources.get(
    'config',
    'MachineConfigs.config.talos.dev',
    'persistent',
  )
  machine?.reboot('DEFAULT')
  await seconds(120)

  expect(result?.details).toBe('Staged configuration to be applied after the next reboot')
  expect(before).not.toHaveProperty('sysctls')
  expect(persistent?.spec).toBe(withSysctl)
  expect(machine?.config?.legacy?.fields.machine).toHaveProperty('sysctls')
})

it('a configuration that is tried is taken back in time, unless another one comes', async () => {
  const { cluster, seconds } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  const isTried = () => Object.hasOwn(Object(machine?.config?.legacy?.fields.machine), 'sysctls')
  const tryIt = () =>
    machine?.applyConfiguration(applying(withSysctl, { mode: 'TRY', tryTimeoutMs: 90_000 }))
  const said = tryIt()?.details
  await seconds(80)
  const inTime = isTried()
  await seconds(20)
  const late = isTried()
  tryIt()
  machine?.applyConfiguration(applying(withSysctl, { mode: 'NO_REBOOT' }))
  await seconds(120)

  expect(said).toContain("applied in 'try' mode and will be automatically reverted back in 1m30s")
  expect([inTime, late, isTried()]).toEqual([true, false, true])
})

it('after a reboot was asked for, newer machines take no more configurations', async () => {
  const { cluster } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0, { talosVersion: 'v1.13.3' })
  machine?.applyConfiguration(applying(text, { mode: 'REBOOT' }))

  expect(refusalOf(() => machine?.applyConfiguration(applying(text)))).toContain(
    'FailedPrecondition: configuration was already applied and node is rebooting',
  )
})

it('documents alone are refused outside of maintenance mode', async () => {
  const { cluster } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)

  expect(refusalOf(() => machine?.applyConfiguration(applying(VOLUME)))).toContain(
    "InvalidArgument: the applied machine configuration doesn't contain v1alpha1 config",
  )
})

it('a disk selector that finds nothing is refused; a disk that is not there fails the installation', async () => {
  const { boot, fleet, seconds } = aFleet(new FakeClock())
  const [one, other] = await boot(2)
  const selecting = text.replace(
    /^ {8}disk: .*$/m,
    '        diskSelector:\n            model: NONE*',
  )
  const absent = text.replace(/^ {8}disk: .*$/m, '        disk: /dev/sdz')
  const refusal = refusalOf(() => one?.applyConfiguration(applying(selecting)))
  other?.applyConfiguration(applying(absent))
  await seconds(30)
  const failure = fleet.history.of('10.0.0.2').map(({ what }) => what)
  await seconds(60)

  expect(refusal).toContain(
    'InvalidArgument: 1 error occurred:\n\t* no disks matched the expression',
  )
  expect(failure).toEqual(
    expect.arrayContaining(['stage installing', 'stage rebooting', 'restarts']),
  )
  expect(other?.stage).toBe('maintenance')
  expect(other?.installedVersion).toBeUndefined()
})

it('a fault makes a machine reject every configuration', async () => {
  const { boot, fleet } = aFleet(new FakeClock())
  const [machine] = await boot(1)
  fleet.faults.add(parseFault('rejects-config'))

  expect(refusalOf(() => machine?.applyConfiguration(applying(text)))).toMatch(/^InvalidArgument: /)
})

it('a fault makes a machine reject configurations with something in them, and no others', async () => {
  const { cluster, fleet } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  fleet.faults.add(parseFault('rejects-config,with=a.b,times=2'))
  const apply = (wanted: string, dryRun: boolean) =>
    machine?.applyConfiguration(applying(wanted, { dryRun }))
  const refusals = [true, false].map((dryRun) => refusalOf(() => apply(withSysctl, dryRun)))

  expect(apply(text, false)).toMatchObject({ mode: 'NO_REBOOT' })
  for (const refusal of refusals) {
    expect(refusal).toBe(
      'InvalidArgument: 1 error occurred:\n\t* "a.b" is not supported on this machine\n\n',
    )
  }
  // What was let through did not use it up.
  expect(apply(withSysctl, false)).toMatchObject({ mode: 'NO_REBOOT' })
})
