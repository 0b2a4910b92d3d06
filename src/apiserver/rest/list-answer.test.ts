import { createServer, type ServerResponse } from 'node:http'
import { expect, test, vi } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import { Pace } from '#apiserver/pace.ts'
import { systemClock } from '#base/clock.ts'
import { parseYaml } from '#base/yaml.ts'
import { prettyJson, type Style } from './answer.ts'
import { listAnswer } from './list-answer.ts'

const head = { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: '1' } }
const all = [
  { name: 'a', text: 'one\n\n  two\n', list: [], deep: [{ x: [1, { y: null }] }] },
  { name: 'b', data: 'x'.repeat(40_000) },
  ...Array.from({ length: 100 }, (_, at) => ({ name: `c${at}`, data: 'line\n'.repeat(1_000) })),
]

const STYLES: readonly Style[] = [
  { syntax: 'json', isPretty: false },
  { syntax: 'json', isPretty: true },
  { syntax: 'yaml', isPretty: false },
]

interface Sent {
  items: readonly Fields[]
  /** Is told of the length of each piece. */
  written?: number[]
}

async function sent(style: Style, { items, written }: Sent = { items: all }): Promise<string> {
  const { stream } = listAnswer({ head, field: 'items', items }, style, new Pace(systemClock))
  const server = createServer((_request, response: ServerResponse) => {
    const write = vi.spyOn(response, 'write')
    response.once('finish', () => written?.push(...write.mock.calls.map(([{ length }]) => length)))
    void stream(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = Object(server.address())
  try {
    const answer = await fetch(`http://127.0.0.1:${port}`)
    expect(answer.headers.get('content-type')).toBe(`application/${style.syntax}`)
    return await answer.text()
  } finally {
    server.close()
  }
}

test('a list in pieces reads as the whole would', async () => {
  expect(await sent({ syntax: 'json', isPretty: false })).toBe(
    `${JSON.stringify({ ...head, items: all })}\n`,
  )
  expect(await sent({ syntax: 'json', isPretty: true })).toBe(prettyJson({ ...head, items: all }))
})

test('a long item is sent in pieces, and is JSON in any syntax', async () => {
  const long = { name: 'long', texts: Array.from({ length: 10 }, () => 'é😀\n'.repeat(30_000)) }
  for (const style of STYLES) {
    const written: number[] = []
    const text = await sent(style, { items: [{ name: 'a' }, long, { name: 'b' }], written })
    expect(parseYaml(text)).toEqual({ ...head, items: [{ name: 'a' }, long, { name: 'b' }] })
    expect(text.includes(JSON.stringify(long))).toBe(true)
    expect(written.length).toBeGreaterThan(3)
    expect(Math.max(...written)).toBeLessThan(300_000)
  }
})

test('a list in pieces of YAML says the same', async () => {
  const text = await sent({ syntax: 'yaml', isPretty: false })

  expect(parseYaml(text)).toEqual({ ...head, items: all })
  expect(text).toMatch(/^items:\n {2}- name: a\n {4}text:/m)
})
