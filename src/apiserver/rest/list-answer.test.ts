import { createServer, type ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { Pace } from '#apiserver/pace.ts'
import { systemClock } from '#base/clock.ts'
import { parseYaml } from '#base/yaml.ts'
import { prettyJson, type Style } from './answer.ts'
import { listAnswer } from './list-answer.ts'

const head = { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: '1' } }
const items = [
  { name: 'a', text: 'one\n\n  two\n', list: [], deep: [{ x: [1, { y: null }] }] },
  { name: 'b', data: 'x'.repeat(40_000) },
  ...Array.from({ length: 100 }, (_, at) => ({ name: `c${at}`, data: 'line\n'.repeat(1_000) })),
]

async function sent(style: Style): Promise<string> {
  const { stream } = listAnswer({ head, field: 'items', items }, style, new Pace(systemClock))
  const server = createServer((_request, response: ServerResponse) => void stream(response))
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
    `${JSON.stringify({ ...head, items })}\n`,
  )
  expect(await sent({ syntax: 'json', isPretty: true })).toBe(prettyJson({ ...head, items }))
})

test('a list in pieces of YAML says the same', async () => {
  const text = await sent({ syntax: 'yaml', isPretty: false })

  expect(parseYaml(text)).toEqual({ ...head, items })
  expect(text).toMatch(/^items:\n {2}- name: a\n {4}text:/m)
})
