import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kind } from '#api/meta.ts'
import { filesInMemory, type KeyFiles } from '#apiserver/security/key-files.ts'
import { serverNames } from '#apiserver/security/server-names.ts'
import { startApi } from '#apiserver/start-api.ts'
import { memoryBackend } from '#apiserver/store/backends/memory.ts'
import type { Backend } from '#apiserver/store/store.ts'
import { type Clock, systemClock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { Secret } from '#base/secret.ts'
import { createAuthority, createKey, issueCertificate } from '#base/x509.ts'
import { installKinds } from '#test/conformance/kinds/install.ts'
import type { Credentials } from '#test/conformance/kubernetes/certificates.ts'
import { connect, type Send } from '#test/conformance/kubernetes/https-json.ts'
import { kubeconfigFor } from '#test/misbehaving/admin-kubeconfig.ts'
import { quietLog } from '#test/quiet-log.ts'

interface AnApiOptions {
  /** What its time is; that of the machine, unless told. */
  clock?: Clock
  /** Kinds of which objects can be made at once. */
  kinds?: readonly Kind[]
  /** Where objects are kept; in memory, unless told. One that is used again is a restart. */
  backend?: Backend
}

/**
 * An embedded API in this process. Disposing of it ends it, and fails if the API logged an error: what
 * it did not foresee is a bug, whatever the test is about.
 */
export interface AnApi extends AsyncDisposable {
  url: string
  /** PEM. */
  ca: string
  admin: Credentials
  /** A kubeconfig file for an administrator. */
  kubeconfig: string
  /** Calls the API as an administrator. */
  send: Send
}

const ADDRESS = { host: '127.0.0.1', port: 0 }

/** Starts an embedded API for a test. */
export async function anApi(options: AnApiOptions = {}): Promise<AnApi> {
  const { clock = systemClock, kinds = [], backend = memoryBackend() } = options
  const errors: unknown[] = []
  const api = await startApi({
    ...{ backend, clock, address: ADDRESS, log: logOf(errors) },
    keyFiles: await sharedKeys(),
  })
  const { url, keys } = api
  const ca = keys.authority
  const admin = { certificate: keys.admin.certificate, key: keys.admin.key.open() }
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-api-'))
  const kubeconfig = join(folder, 'kubeconfig')
  await writeFile(kubeconfig, kubeconfigFor({ server: url, ca, ...admin }), { mode: 0o600 })
  const send = connect(url, ca, admin)
  if (kinds.length > 0) await installKinds(send, kinds)
  return {
    ...{ url, ca, admin, kubeconfig, send },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
      if (errors.length > 0) throw new Error(`the API logged errors: ${JSON.stringify(errors)}`)
    },
  }
}

const logOf = (errors: unknown[]): Log =>
  quietLog({ error: (message, fields) => void errors.push({ message, ...fields }) })

// Clients go by the time of the machine, and the API by a clock that may be years ahead.
const validity = { notBefore: new Date('2020-01-01'), notAfter: new Date('2080-01-01') }

let made: Promise<KeyFiles> | undefined

/** Making keys takes longer than starting an API: one set is enough for all tests of a process. */
function sharedKeys(): Promise<KeyFiles> {
  made ??= makeKeys()
  return made
}

async function makeKeys(): Promise<KeyFiles> {
  const files = filesInMemory()
  const authority = createAuthority('tests', createKey(), validity)
  const issued = {
    ca: authority,
    server: issueCertificate(authority, {
      ...{ commonName: 'kube-apiserver', usage: 'server', hosts: serverNames(ADDRESS), validity },
    }),
    admin: issueCertificate(authority, {
      ...{ commonName: 'admin', organizations: ['system:masters'], usage: 'client', validity },
    }),
  }
  for (const [name, { certificate, key }] of Object.entries(issued)) {
    await files.write(`${name}.crt`, new Secret(certificate))
    await files.write(`${name}.key`, key)
  }
  return files
}
