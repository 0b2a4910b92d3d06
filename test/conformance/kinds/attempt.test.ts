import { describe, expect, test } from 'vitest'
import { Worker } from '#api/worker.ts'
import type { Answer } from '#test/conformance/kubernetes/https-json.ts'
import { attempt, subjectOf } from './attempt.ts'

const refusal: Answer = { status: 422, body: { reason: 'Invalid' }, warnings: [] }
const refuse = () => Promise.resolve(refusal)

describe('an API that refuses everything', () => {
  test('its answer to a creation is the answer of the case', async () => {
    expect(await attempt(refuse, Worker, { title: 'no mode', spec: {} })).toBe(refusal)
  })

  test('its answer to the object that an update needs is not', async () => {
    const update = attempt(refuse, Worker, { title: 'another mode', from: {}, spec: {} })

    await expect(update).rejects.toThrow('TalosWorker, another mode: there is nothing to change')
  })

  test('its answer to the object whose status is written is not', async () => {
    const subject = subjectOf(refuse, Worker, { title: 'every field', spec: {} })

    await expect(subject).rejects.toThrow('TalosWorker, every field: there is nothing to change')
  })
})
