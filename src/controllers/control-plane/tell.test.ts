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

test('what is said of a machine that goes, and of the node of one that is gone, names it', () => {
  const machine = { machine: 'one-1', uid: 'u' }
  const told = [
    tell.letGo({ do: 'letGo', ...machine }),
    tell.keepBack({ do: 'keepBack', ...machine }),
    tell.uncordon({ do: 'uncordon', node: 'one-1', uid: 'u', by: 'gone' }),
  ]

  for (const { deed, done } of told) expect([deed, done].join()).toMatch(/one-1.*,.*one-1/)
})

test('how far kubelets are is said each time in other words', () => {
  const told = (['preparing', 'moving', 'ending', undefined] as const).map((phase) =>
    tell.moveKubelets({ do: 'moveKubelets', phase }),
  )

  expect(new Set(told.map(({ deed }) => deed)).size).toBe(4)
  expect(new Set(told.map(({ done }) => done)).size).toBe(4)
})
