import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { toYaml } from '#base/yaml.ts'
import {
  type Authority,
  type Credentials,
  createAuthority,
  createSigningKeys,
} from './certificates.ts'
import { type Child, startChild } from './child.ts'
import { type Answer, connect, type Send } from './https-json.ts'

const READY_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 50
const TRIES = 3

interface Options {
  /** Whether what is written survives a power failure. Left out: it need not. */
  isDurable?: boolean
}

export interface Programs {
  etcd: string
  'kube-apiserver': string
  'kube-controller-manager'?: string
}

/** A real Kubernetes API of one's own. Disposing of it ends its processes and removes its files. */
export interface RealKubernetes extends AsyncDisposable {
  url: string
  /** A kubeconfig file for an administrator. */
  kubeconfig: string
  /** Calls the API as an administrator. */
  send: Send
  /** The process groups of its servers. */
  groups: number[]
}

/**
 * Starts etcd, kube-apiserver and, if its program is given, kube-controller-manager on loopback,
 * with certificates of their own. Resolves when the API is ready and the controllers work; fails with
 * what a server printed that does not start. Several can run side by side.
 */
export async function startKubernetes(
  programs: Programs,
  { isDurable = false }: Options = {},
): Promise<RealKubernetes> {
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-kubernetes-'))
  const children: Child[] = []
  const stop = async () => {
    // In reverse: a server that loses its database first takes long to end.
    for (const child of children.toReversed()) await child[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  }
  const start = (name: keyof Programs, args: string[]): Child => {
    const program = programs[name] ?? ''
    const child = startChild(program, args, { log: join(folder, `${name}.log`), folder })
    children.push(child)
    return child
  }

  try {
    const files = await writeCredentials(folder)
    const etcdUrl = await startEtcd(start, files, isDurable)
    const url = await startApiServer(start, files, etcdUrl)
    const kubeconfig = await writeKubeconfig(files, url)
    const send = connect(url, files.authority.certificate, files.admin)
    if (programs['kube-controller-manager']) {
      await untilControllersWork(startControllers(start, files, kubeconfig), send)
    }
    const groups = children.flatMap(({ group }) => group ?? [])
    return { url, kubeconfig, send, groups, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

interface Files {
  folder: string
  authority: Authority
  admin: Credentials
  /** Absolute path of a file that was written for the servers. */
  path(name: string): string
}

type Start = (name: keyof Programs, args: string[]) => Child

async function writeCredentials(folder: string): Promise<Files> {
  const authority = createAuthority()
  const server = authority.issueServer('localhost')
  const admin = authority.issueClient('admin', 'system:masters')
  const signing = await createSigningKeys()
  const contents = {
    'ca.crt': authority.certificate,
    'server.crt': server.certificate,
    'server.key': server.key,
    'admin.crt': admin.certificate,
    'admin.key': admin.key,
    'service-accounts.pub': signing.publicKey,
    'service-accounts.key': signing.privateKey,
  }
  const path = (name: string) => join(folder, name)
  for (const [name, content] of Object.entries(contents)) {
    await writeFile(path(name), content, { mode: 0o600 })
  }
  return { folder, authority, admin, path }
}

const startEtcd = (start: Start, files: Files, isDurable: boolean): Promise<string> =>
  startServer(files, '/health', (url) =>
    start('etcd', [
      `--data-dir=${files.path('etcd')}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      '--listen-peer-urls=http://127.0.0.1:0',
      '--client-cert-auth',
      `--trusted-ca-file=${files.path('ca.crt')}`,
      `--cert-file=${files.path('server.crt')}`,
      `--key-file=${files.path('server.key')}`,
      ...(isDurable ? [] : ['--unsafe-no-fsync']),
    ]),
  )

const startApiServer = (start: Start, files: Files, etcdUrl: string): Promise<string> =>
  startServer(files, '/readyz', (url) =>
    start('kube-apiserver', [
      '--bind-address=127.0.0.1',
      `--secure-port=${new URL(url).port}`,
      `--tls-cert-file=${files.path('server.crt')}`,
      `--tls-private-key-file=${files.path('server.key')}`,
      `--client-ca-file=${files.path('ca.crt')}`,
      `--cert-dir=${files.folder}`,
      `--etcd-servers=${etcdUrl}`,
      `--etcd-cafile=${files.path('ca.crt')}`,
      `--etcd-certfile=${files.path('server.crt')}`,
      `--etcd-keyfile=${files.path('server.key')}`,
      '--authorization-mode=RBAC',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${files.path('service-accounts.pub')}`,
      `--service-account-signing-key-file=${files.path('service-accounts.key')}`,
      '--service-cluster-ip-range=10.96.0.0/16',
      // No one reaches this server through the kubernetes Service.
      '--endpoint-reconciler-type=none',
    ]),
  )

const startControllers = (start: Start, files: Files, kubeconfig: string): Child =>
  start('kube-controller-manager', [
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    `--root-ca-file=${files.path('ca.crt')}`,
    `--service-account-private-key-file=${files.path('service-accounts.key')}`,
    '--use-service-account-credentials=false',
    '--leader-elect=false',
    '--secure-port=0', // no listener: nobody asks it anything
  ])

/** They have no listener to ask, but give every namespace the service account that pods run as. */
async function untilControllersWork(child: Child, send: Send): Promise<void> {
  const path = '/api/v1/namespaces/default/serviceaccounts/default'
  if (await answers(child, () => send({ method: 'GET', path }))) return
  throw didNotStart(await child.lastOutput())
}

const didNotStart = (output: string): Error => new Error(`a server did not start:\n${output}`)

/** Starts a server on a free port and waits until it answers at `path`. Resolves to its URL. */
async function startServer(
  files: Files,
  path: string,
  startAt: (url: string) => Child,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const url = `https://127.0.0.1:${await freePort()}`
    const child = startAt(url)
    const send = connect(url, files.authority.certificate, files.admin)
    if (await answers(child, () => send({ method: 'GET', path }))) return url

    const output = await child.lastOutput()
    await child[Symbol.asyncDispose]()
    // Between finding the port free and listening, someone else can take it.
    const wasTaken = output.includes('address already in use')
    if (!wasTaken || attempt === TRIES) throw didNotStart(output)
  }
}

async function answers(child: Child, ask: () => Promise<Answer>): Promise<boolean> {
  const deadline = Date.now() + READY_WITHIN_MS
  while (child.isRunning() && Date.now() < deadline) {
    const status = await ask().then(
      (answer) => answer.status,
      () => 0, // not listening yet
    )
    if (status === 200) return true
    await delay(LOOK_EVERY_MS)
  }
  return false
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

async function writeKubeconfig(files: Files, url: string): Promise<string> {
  const path = files.path('kubeconfig')
  const name = 'test'
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: url, 'certificate-authority': files.path('ca.crt') } }],
    users: [
      {
        name,
        user: {
          'client-certificate': files.path('admin.crt'),
          'client-key': files.path('admin.key'),
        },
      },
    ],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  }
  await writeFile(path, toYaml(config), { mode: 0o600 })
  return path
}
