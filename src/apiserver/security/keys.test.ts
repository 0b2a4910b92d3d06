import { X509Certificate } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Log } from '#base/log.ts'
import { Secret } from '#base/secret.ts'
import { parseYaml } from '#base/yaml.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { filesInFolder, filesInMemory, type KeyFiles } from './key-files.ts'
import { openKeys } from './keys.ts'
import { writeKubeconfig } from './kubeconfig.ts'

const DAY_MS = 24 * 3_600_000
const hosts = ['localhost', '127.0.0.1', '::1']

function aLog(): { log: Log; warnings: string[] } {
  const warnings: string[] = []
  const log: Log = {
    error: () => {},
    warn: (message) => void warnings.push(message),
    info: () => {},
    debug: () => {},
    with: () => log,
  }
  return { log, warnings }
}

async function aFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'keys-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return join(path, 'pki')
}

/** Files of which the last write never happened, as after a crash. */
async function without(files: KeyFiles, ...lost: string[]): Promise<KeyFiles> {
  const copy = filesInMemory()
  const names = ['ca', 'server', 'admin', 'service-accounts']
  for (const name of names.flatMap((one) => [`${one}.key`, `${one}.crt`])) {
    const text = await files.read(name)
    if (text && !lost.includes(name)) await copy.write(name, text)
  }
  return copy
}

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

describe('keys', () => {
  test('are created once and found again', async () => {
    const files = filesInMemory()
    const clock = new FakeClock()

    const first = await openKeys({ files, clock, hosts })
    const second = await openKeys({ files, clock, hosts })
    expect(second.authority).toBe(first.authority)
    expect(second.server.certificate).toBe(first.server.certificate)
    expect(second.admin.certificate).toBe(first.admin.certificate)
    expect(second.accountKey.equals(first.accountKey)).toBe(true)
  })

  test('let the admin in as a member of system:masters', async () => {
    const { admin, authority } = await openKeys({
      files: filesInMemory(),
      clock: new FakeClock(),
      hosts,
    })

    const certificate = new X509Certificate(admin.certificate)
    expect(certificate.subject).toBe('O=system:masters\nCN=admin')
    expect(certificate.verify(new X509Certificate(authority).publicKey)).toBe(true)
  })

  test('are renewed at half of their life, the authority never', async () => {
    const files = filesInMemory()
    const clock = new FakeClock()
    const first = await openKeys({ files, clock, hosts })

    clock.jump(first.renewAt.getTime() - clock.now().getTime() - 1000)
    const early = await openKeys({ files, clock, hosts })
    clock.jump(2000)
    const late = await openKeys({ files, clock, hosts })
    expect(first.renewAt.getTime()).toBeCloseTo(Date.parse('2030-07-02T11:30:00Z'), -5)
    expect(early.server.certificate).toBe(first.server.certificate)
    expect(late.server.certificate).not.toBe(first.server.certificate)
    expect(late.admin.certificate).not.toBe(first.admin.certificate)
    expect(late.authority).toBe(first.authority)
    expect(late.renewAt > clock.now()).toBe(true)
  })

  test('get a new server certificate when a name is added or taken away', async () => {
    const files = filesInMemory()
    const clock = new FakeClock()
    const first = await openKeys({ files, clock, hosts })

    const more = await openKeys({ files, clock, hosts: [...hosts, 'box.example'] })
    const fewer = await openKeys({ files, clock, hosts })
    expect(more.server.certificate).not.toBe(first.server.certificate)
    expect(new X509Certificate(more.server.certificate).checkHost('box.example')).toBe(
      'box.example',
    )
    expect(fewer.server.certificate).not.toBe(more.server.certificate)
    expect(more.admin.certificate).toBe(first.admin.certificate)
  })

  test('survive a crash between a key and its certificate', async () => {
    const files = filesInMemory()
    const clock = new FakeClock()
    const first = await openKeys({ files, clock, hosts })

    const noAuthority = await openKeys({ files: await without(files, 'ca.crt'), clock, hosts })
    const noServer = await openKeys({ files: await without(files, 'server.crt'), clock, hosts })
    const otherKey = await without(files)
    await otherKey.write('server.key', first.admin.key)
    const mixed = await openKeys({ files: otherKey, clock, hosts })
    const trusted = new X509Certificate(first.authority).publicKey
    expect(new X509Certificate(noAuthority.authority).publicKey.equals(trusted)).toBe(true)
    expect(new X509Certificate(noServer.server.certificate).verify(trusted)).toBe(true)
    expect(new X509Certificate(mixed.server.certificate).verify(trusted)).toBe(true)
  })

  test('do not include a server certificate of another authority', async () => {
    const [files, others] = [filesInMemory(), filesInMemory()]
    const clock = new FakeClock()
    const first = await openKeys({ files, clock, hosts })
    const other = await openKeys({ files: others, clock, hosts })
    await files.write('server.key', other.server.key)
    await files.write('server.crt', new Secret(other.server.certificate))

    const { server } = await openKeys({ files, clock, hosts })
    const trusted = new X509Certificate(first.authority).publicKey
    expect(new X509Certificate(server.certificate).verify(trusted)).toBe(true)
  })

  test('never replace an authority that lost its key, or that cannot be read', async () => {
    const files = filesInMemory()
    const clock = new FakeClock()
    await openKeys({ files, clock, hosts })

    const lost = await without(files, 'ca.key')
    await expect(openKeys({ files: lost, clock, hosts })).rejects.toThrow(/ca\.key.*missing/)
    const broken = await without(files)
    await broken.write('ca.crt', new Secret('nonsense'))
    await expect(openKeys({ files: broken, clock, hosts })).rejects.toThrow(/cannot be used/)
    const noKey = await without(files)
    await noKey.write('service-accounts.key', new Secret('nonsense'))
    await expect(openKeys({ files: noKey, clock, hosts })).rejects.toThrow(/no private key/)
    clock.jump(11 * 365 * DAY_MS)
    await expect(openKeys({ files, clock, hosts })).rejects.toThrow(/expired/)
  })
})

describe('a folder of keys', () => {
  test('is closed to others, and so is each file', async () => {
    const folder = await aFolder()
    const { log, warnings } = aLog()

    const files = await filesInFolder(folder, log)
    await openKeys({ files, clock: new FakeClock(), hosts })
    expect(await modeOf(folder)).toBe('700')
    const names = (await readdir(folder)).sort()
    expect(names).toEqual([
      'admin.crt',
      'admin.key',
      'ca.crt',
      'ca.key',
      'server.crt',
      'server.key',
      'service-accounts.key',
    ])
    for (const name of names) expect(await modeOf(join(folder, name))).toBe('600')
    expect(warnings).toEqual([])
  })

  test('is closed again, with a warning, when it was opened', async () => {
    const folder = await aFolder()
    const { log, warnings } = aLog()
    const files = await filesInFolder(folder, log)
    await files.write('ca.key', new Secret('x'))
    await chmod(join(folder, 'ca.key'), 0o644)
    await chmod(folder, 0o755)

    await (await filesInFolder(folder, log)).read('ca.key')
    expect(await modeOf(join(folder, 'ca.key'))).toBe('600')
    expect(await modeOf(folder)).toBe('700')
    expect(warnings).toHaveLength(2)
  })

  test('holds whole files, whatever a crash left beside them', async () => {
    const folder = await aFolder()
    const files = await filesInFolder(folder, aLog().log)
    await writeFile(join(folder, 'ca.key.new'), 'half', { mode: 0o644 })

    expect(await files.read('ca.key')).toBeUndefined()
    await files.write('ca.key', new Secret('whole'))
    expect((await files.read('ca.key'))?.open()).toBe('whole')
    expect(await readdir(folder)).toEqual(['ca.key'])
    expect(await modeOf(join(folder, 'ca.key'))).toBe('600')
  })
})

test('the kubeconfig holds all that a client needs, for its owner only', async () => {
  const folder = await aFolder()
  await filesInFolder(folder, aLog().log)
  const keys = await openKeys({ files: filesInMemory(), clock: new FakeClock(), hosts })
  const path = join(folder, 'admin.kubeconfig')
  const access = { server: 'https://127.0.0.1:6443', authority: keys.authority, client: keys.admin }

  await writeKubeconfig(path, access)
  const { ino } = await stat(path)
  await writeKubeconfig(path, access)
  expect((await stat(path)).ino).toBe(ino)
  await chmod(path, 0o640)
  await writeKubeconfig(path, access)
  expect(await modeOf(path)).toBe('600')
  expect(parseYaml(await readFile(path, 'utf8'))).toMatchObject({
    'current-context': 'talos-operator',
    contexts: [
      { name: 'talos-operator', context: { cluster: 'talos-operator', user: 'talos-operator' } },
    ],
    clusters: [
      {
        cluster: {
          server: 'https://127.0.0.1:6443',
          'certificate-authority-data': Buffer.from(keys.authority).toString('base64'),
        },
      },
    ],
    users: [{ user: { 'client-key-data': Buffer.from(keys.admin.key.open()).toString('base64') } }],
  })
})
