import { readFile } from 'node:fs/promises'
import { parseYaml, toYaml } from '#base/yaml.ts'

/** How an administrator reaches an API. What is not a URL is PEM. */
export interface AdminAccess {
  server: string
  ca: string
  certificate: string
  key: string
}

/** The text of a kubeconfig. */
export function kubeconfigFor({ server, ca, certificate, key }: AdminAccess): string {
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  const name = 'test'
  return toYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority-data': encoded(ca) } }],
    users: [
      {
        name,
        user: {
          'client-certificate-data': encoded(certificate),
          'client-key-data': encoded(key),
        },
      },
    ],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  })
}

/** Reads the only cluster and the only user of a kubeconfig. */
export async function readKubeconfig(path: string): Promise<AdminAccess> {
  const config = parseYaml(await readFile(path, 'utf8'))
  const cluster = only(config, 'clusters', 'cluster')
  const user = only(config, 'users', 'user')
  return {
    server: String(cluster.server),
    ca: await pem(cluster, 'certificate-authority'),
    certificate: await pem(user, 'client-certificate'),
    key: await pem(user, 'client-key'),
  }
}

function only(config: unknown, list: string, field: string): Record<string, unknown> {
  const [first]: unknown[] = Object(config)[list]
  return Object(Object(first)[field])
}

async function pem(fields: Record<string, unknown>, name: string): Promise<string> {
  const inline = fields[`${name}-data`]
  return inline === undefined
    ? readFile(String(fields[name]), 'utf8')
    : Buffer.from(String(inline), 'base64').toString()
}
