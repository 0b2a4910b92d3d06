import { expect, test } from 'vitest'
import { refuseOpenDoor } from './listen-rule.ts'

test.each(['127.0.0.1', '127.8.8.8', '::1', 'localhost', 'LOCALHOST'])(
  'without authentication the API may listen on %s',
  (host) => {
    expect(() => refuseOpenDoor({ host, port: 6443 }, false)).not.toThrow()
  },
)

test.each(['0.0.0.0', '::', '192.0.2.1', '::ffff:192.0.2.1', 'box.example', 'localhost.example'])(
  'without authentication the API does not listen on %s',
  (host) => {
    expect(() => refuseOpenDoor({ host, port: 6443 }, false)).toThrow(/listen on 127\.0\.0\.1/)
    expect(() => refuseOpenDoor({ host, port: 6443 }, true)).not.toThrow()
  },
)

test('no host means every address', () => {
  expect(() => refuseOpenDoor({ port: 6443 }, false)).toThrow(/:6443 without authentication/)
})
