import { describe, expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { gather, readPages } from './lists.ts'

const expired = () => new ApiError('too old', { status: 410, reason: 'Expired' })

/** Lists that each expire after their first page, so many times; with the page sizes asked for. */
function listsThatExpire(times: number) {
  const sizes: (number | undefined)[] = []
  const pages = async function* (pageSize?: number) {
    sizes.push(pageSize)
    yield { items: [1, 2], resourceVersion: String(sizes.length) }
    if (sizes.length <= times) throw expired()
    yield { items: [3], resourceVersion: String(sizes.length) }
  }
  return { pages, sizes }
}

describe('a list as a whole', () => {
  test('has what is kept of all objects, and the version of the list', async () => {
    const { pages } = listsThatExpire(0)

    expect(await gather(pages, (item) => item * 10)).toEqual({
      items: [10, 20, 30],
      resourceVersion: '1',
    })
  })

  test('that expires is begun anew, and nothing is in it twice', async () => {
    const { pages } = listsThatExpire(1)

    expect(await gather(pages, String)).toEqual({ items: ['1', '2', '3'], resourceVersion: '2' })
  })

  test('that expires twice is read in one page', async () => {
    const { pages, sizes } = listsThatExpire(2)

    expect((await gather(pages, String)).resourceVersion).toBe('3')
    expect(sizes).toEqual([undefined, undefined, 0])
  })

  test('that expires for ever is given up', async () => {
    const { pages, sizes } = listsThatExpire(99)

    await expect(gather(pages, String)).rejects.toMatchObject({ status: 410 })
    expect(sizes).toHaveLength(3)
  })

  test('that fails otherwise is not begun anew', async () => {
    let count = 0
    const pages = async function* () {
      count += 1
      yield { items: [1], resourceVersion: '1' }
      throw new Error('broken')
    }

    await expect(gather(pages, String)).rejects.toThrow('broken')
    expect(count).toBe(1)
  })
})

/** Reads the pages of a list that is sent so, and what was asked for. */
async function read(answers: object[], pageSize?: number) {
  const queries: object[] = []
  const items: number[][] = []
  const answer = async (query: object) => {
    queries.push(query)
    return JSON.stringify(answers.shift())
  }
  for await (const page of readPages<number>('gadgets', answer, pageSize)) items.push(page.items)
  return { queries, items }
}

describe('the pages of a list', () => {
  const first = { metadata: { resourceVersion: '1', continue: 'more' }, items: [1] }

  test('follow each other by their tokens', async () => {
    const last = { metadata: { resourceVersion: '1', continue: '' }, items: [2] }

    expect(await read([first, last])).toEqual({
      queries: [{ limit: 500 }, { limit: 500, continue: 'more' }],
      items: [[1], [2]],
    })
  })

  test('are one when no size is wanted', async () => {
    expect(await read([{ metadata: { resourceVersion: '1' }, items: null }], 0)).toEqual({
      queries: [{}],
      items: [[]],
    })
  })

  test('that lead in a circle are refused', async () => {
    await expect(read([first, first])).rejects.toThrow(
      'could not list gadgets: the API server answered with something that is no list',
    )
  })
})
