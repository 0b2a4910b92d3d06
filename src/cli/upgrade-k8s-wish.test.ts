import { expect, test } from 'vitest'
import { type Asked, upgradeWish } from './upgrade-k8s-wish.ts'

const ENV = { TCP_NAME: 'from-env', TCP_NAMESPACE: 'of-env', TARGET_VERSION: '1.35.1' }
const wish = (asked: Partial<Asked>) =>
  upgradeWish({ name: undefined, flags: {}, env: {}, ...asked })

test('a Job says it in variables, with or without the v', () => {
  expect(wish({ env: ENV })).toEqual({ name: 'from-env', namespace: 'of-env', to: 'v1.35.1' })
})

test('the command line comes before the environment', () => {
  const flags = { to: 'v1.36.0', namespace: 'here' }

  expect(wish({ name: 'demo', flags, env: ENV })).toEqual({
    ...{ name: 'demo', namespace: 'here', to: 'v1.36.0' },
  })
})

test('without a namespace it is that of the context', () => {
  expect(wish({ name: 'demo', flags: { to: 'v1.36.0' } })).toEqual({ name: 'demo', to: 'v1.36.0' })
})

test.each([
  [{ flags: { to: 'v1.36.0' } }, /neither its name is given nor TCP_NAME set/],
  [{ name: 'demo' }, /neither --to is given nor TARGET_VERSION set/],
  [{ name: 'demo', env: { TARGET_VERSION: '' } }, /neither --to is given/],
  [{ name: 'demo', flags: { to: 'v1.36' } }, /"v1\.36" is no version.*all three numbers/s],
  [{ name: 'demo', flags: { to: 'latest' } }, /"latest" is no version/],
])('%j is not enough', (asked, reason) => {
  expect(() => wish(asked)).toThrow(reason)
})
