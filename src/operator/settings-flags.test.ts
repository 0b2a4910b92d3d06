import { Command, Option } from 'commander'
import { expect, test } from 'vitest'
import { readSettings } from './settings.ts'
import { flagsOf } from './settings-flags.ts'

/** A command with all flags, as `run` declares them. */
function aCommand(): Command {
  const command = new Command('run').exitOverride().configureOutput({ writeErr: () => {} })
  for (const { flags, description, isHidden } of flagsOf()) {
    command.addOption(new Option(flags, description).hideHelp(isHidden))
  }
  return command
}

const read = (...args: string[]) =>
  readSettings({ flags: aCommand().parse(args, { from: 'user' }).opts(), env: {} })

test('no flag counts as given that was not', () => {
  expect(aCommand().parse([], { from: 'user' }).opts()).toEqual({})
})

test.each([
  [['--enable-tracing'], true],
  [['--enable-tracing=true'], true],
  [['--enable-tracing=false'], false],
  [['--enable-tracing', '--log-level=warn'], true],
])('a switch is set as Go’s flags are: %s', (args, value) => {
  expect(read(...args)).toMatchObject({ enableTracing: value })
})

test('values follow after a space or an equals sign, and the last one counts', () => {
  expect(
    read('--metrics-bind-address=:1', '--health-probe-bind-address', ':2', '--concurrency=3'),
  ).toMatchObject({
    metricsBindAddress: { port: 1 },
    healthProbeBindAddress: { port: 2 },
    concurrency: 3,
  })
  expect(read('--concurrency=3', '--concurrency=4')).toMatchObject({ concurrency: 4 })
})

test('a flag that asks for a value is refused without one', () => {
  expect(() => read('--metrics-bind-address')).toThrow('argument missing')
})

test('help shows each flag once, with its meaning, its default and its variables', () => {
  const help = aCommand().configureHelp({ helpWidth: 1000 }).helpInformation()

  expect(help).toMatch(
    / --metrics-bind-address <address> +Where `\/metrics` is served\. \(default: :8080; env: METRICS_BIND_ADDRESS\)\n/,
  )
  expect(help).toMatch(/ --enable-tracing \[true\|false\] .*\(default: false; env: TALOS_OPERATOR_/)
  expect(help).toMatch(/ --namespaces <name,…> .*\(default: all; env: .*WATCH_NAMESPACE\)/)
  expect(help).not.toContain('zap-')
  expect(help).not.toContain('webhook')
})

test('what help does not show says what it is', () => {
  const hidden = flagsOf().filter(({ isHidden }) => isHidden)

  expect(hidden).toContainEqual({
    flags: '--zap-log-level <error|warn|info|debug>',
    description: 'Same as --log-level.',
    isHidden: true,
  })
  expect(hidden).toContainEqual({
    flags: '--leader-elect [true|false]',
    description: 'No effect: leader election is always on.',
    isHidden: true,
  })
})
