import { expect, test } from 'vitest'
import { tell } from './tell.ts'

test('credentials are renewed, and what follows the spec is updated', () => {
  const told = (what: 'kubeconfig' | 'config', isNew: boolean) =>
    tell.deliver({ do: 'deliver', what, name: `one-${what}`, isNew })

  expect(told('kubeconfig', true)).toEqual({
    ...{ reason: 'KubeconfigWritten', failure: 'FailedWriteKubeconfig' },
    deed: 'create Secret one-kubeconfig with the kubeconfig of an administrator',
    done: 'Secret one-kubeconfig created with the kubeconfig of an administrator',
  })
  expect(told('kubeconfig', false).deed).toMatch(/^renew Secret one-kubeconfig /)
  expect(told('kubeconfig', false).done).toMatch(/^Secret one-kubeconfig renewed /)
  expect(told('config', false).deed).toMatch(/^update Secret one-config /)
  expect(told('config', false).done).toMatch(/^Secret one-config updated /)
})
