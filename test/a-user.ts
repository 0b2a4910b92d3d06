// Somebody who may do little, for tests of what commands say of that.

import { readFile, writeFile } from 'node:fs/promises'
import { expect } from 'vitest'
import type { AnApi } from './an-api.ts'

interface Rights {
  readonly group: string
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
}

const GROUP = 'rbac.authorization.k8s.io'
let users = 0

/** The path of a kubeconfig for a user who may do this in one namespace, or everywhere, and nothing else. */
export async function aUser(
  { send, kubeconfig }: AnApi,
  rights: readonly Rights[],
  namespace?: string,
): Promise<string> {
  const name = `user-${++users}`
  const [path, prefix] = namespace ? [`namespaces/${namespace}/`, ''] : ['', 'cluster']
  const make = async (kind: string, body: object) =>
    expect(
      await send({ method: 'POST', path: `/apis/${GROUP}/v1/${path}${prefix}${kind}`, body }),
    ).toMatchObject({ status: 201 })
  const rules = rights.map(({ group, resources, verbs }) => ({
    ...{ apiGroups: [group], resources, verbs },
  }))
  await make('roles', { metadata: { name }, rules })
  await make('rolebindings', {
    metadata: { name },
    roleRef: { apiGroup: GROUP, kind: namespace ? 'Role' : 'ClusterRole', name },
    subjects: [{ apiGroup: GROUP, kind: 'User', name }],
  })
  const file = `${kubeconfig}-${name}`
  const text = await readFile(kubeconfig, 'utf8')
  await writeFile(file, text.replace(/^( *)client-certificate-data:/m, `$1as: ${name}\n$&`), {
    mode: 0o600,
  })
  return file
}
