import { expect, test } from 'vitest'
import { ApiStanding } from './cluster-nodes-api.ts'

const at = (second: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, second))
const refused = { reason: 'Unreachable', message: 'nobody listens' } as const
const late = { reason: 'Unreachable', message: 'nothing in time' } as const
const foreign = { reason: 'Untrusted', message: 'of another authority' } as const

test('before the first answer, a failure is told at once', () => {
  const standing = new ApiStanding()

  expect(standing.seen).toEqual({ is: 'connecting' })
  expect(standing.failed(refused, at(1))).toBe(true)
  expect(standing.seen).toEqual({ is: 'silent', since: at(1), isUnheard: true, ...refused })
})

test('an answer is told once, and again when the version is another', () => {
  const standing = new ApiStanding()

  expect(['v1.34.0', 'v1.34.0', 'v1.35.0'].map((one) => standing.answered(one))).toEqual([
    true,
    false,
    true,
  ])
  expect(standing.seen).toEqual({ is: 'answering', version: 'v1.35.0' })
})

test('after an answer one failure is not told, and two are, since the first', () => {
  const standing = new ApiStanding()
  standing.answered('v1.34.0')

  expect(standing.failed(late, at(1))).toBe(false)
  expect(standing.seen.is).toBe('answering')
  expect(standing.failed(refused, at(2))).toBe(true)
  expect(standing.seen).toEqual({ is: 'silent', since: at(1), ...refused })
})

test('single failures between answers are never told', () => {
  const standing = new ApiStanding()
  standing.answered('v1.34.0')

  const news = [1, 2, 3].flatMap((second) => [
    standing.failed(late, at(second)),
    standing.answered('v1.34.0'),
  ])

  expect(news).toEqual([false, false, false, false, false, false])
})

test('other words are told when they come twice in a row, and since when it is stays', () => {
  const standing = new ApiStanding()
  standing.failed(refused, at(1))

  expect([late, refused, late, refused].map((one) => standing.failed(one, at(2)))).toEqual([
    ...[false, false, false, false],
  ])
  expect([foreign, foreign, foreign].map((one) => standing.failed(one, at(3)))).toEqual([
    ...[false, true, false],
  ])
  expect(standing.seen).toEqual({ is: 'silent', since: at(1), isUnheard: true, ...foreign })
})

test('a silence after an answer begins anew', () => {
  const standing = new ApiStanding()
  standing.failed(refused, at(1))
  standing.answered('v1.34.0')
  standing.failed(refused, at(5))
  standing.failed(refused, at(6))

  expect(standing.seen).toMatchObject({ since: at(5) })
})
