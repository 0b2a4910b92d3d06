import { expect, test } from 'vitest'
import { imageReference } from './image-reference.ts'

const DIGEST = `sha256:${'0'.repeat(64)}`

test.each(['nginx', 'nginx:1', 'a.b/c1', 'localhost:5000/a1:x', '[::1]:5000/a1', 'a/b/c:T_1.x-y'])(
  '%s may be another image tomorrow',
  (text) => {
    expect(imageReference(text)).toEqual({ isPinned: false })
  },
)

test.each([`nginx@${DIGEST}`, `nginx:1@${DIGEST}`, `localhost:5000/a1@${DIGEST}`])(
  '%s is always the same image',
  (text) => {
    expect(imageReference(text)).toEqual({ isPinned: true })
  },
)

test.each([
  '',
  'a',
  'NGINX',
  'nginx:',
  `nginx:${'x'.repeat(129)}`,
  'nginx:a:b',
  'a.b/',
  'localhost:x/a1',
  'user@a.b/c1',
  'a.b?/c1',
  `nginx@${DIGEST.toUpperCase()}`,
  'nginx@sha256:abc',
  `@${DIGEST}`,
  'x'.repeat(256),
])('%j is no image', (text) => {
  expect(imageReference(text)).toBeUndefined()
})
