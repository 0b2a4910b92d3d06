import { readFile, stat } from 'node:fs/promises'
import { Secret } from '#base/secret.ts'
import type { Credentials } from '#base/x509.ts'
import { toYaml } from '#base/yaml.ts'
import { writePrivately } from './key-files.ts'

interface Access {
  /** `https://127.0.0.1:6443` */
  server: string
  /** PEM. */
  authority: string
  client: Credentials
}

const NAME = 'talos-operator'

const encoded = (pem: string): string => Buffer.from(pem).toString('base64')

/** A kubeconfig that needs no other file. */
const kubeconfigFor = ({ server, authority, client }: Access): Secret<string> =>
  new Secret(
    toYaml({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        { name: NAME, cluster: { server, 'certificate-authority-data': encoded(authority) } },
      ],
      users: [
        {
          name: NAME,
          user: {
            'client-certificate-data': encoded(client.certificate),
            'client-key-data': encoded(client.key.open()),
          },
        },
      ],
      contexts: [{ name: NAME, context: { cluster: NAME, user: NAME } }],
      'current-context': NAME,
    }),
  )

/** Writes the file, readable by its owner only, unless it is just that already. */
export async function writeKubeconfig(path: string, access: Access): Promise<void> {
  const wanted = kubeconfigFor(access)
  if (!(await isInPlace(path, wanted))) await writePrivately(path, wanted)
}

async function isInPlace(path: string, wanted: Secret<string>): Promise<boolean> {
  try {
    const { mode } = await stat(path)
    return (mode & 0o077) === 0 && (await readFile(path, 'utf8')) === wanted.open()
  } catch {
    return false
  }
}
