import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createAuthority } from '#test/conformance/kubernetes/certificates.ts'
import { kubeconfigFor } from '#test/misbehaving/admin-kubeconfig.ts'
import { HttpsPort } from '#test/misbehaving/https-port.ts'
import type { Sample } from './heap-cycles.ts'

const LONGEST_RUN_MS = 100_000
// Several watches at a time: one alone would wait most of its time.
const NAMESPACES = ['a', 'b', 'c', 'd']
const OBJECTS = 20
const MOST_GROWTH_BYTES = 1024 * 1024
// A few for each watch, and for the calls that are under way.
const MOST_OPEN = 25
const PROGRAM = join(import.meta.dirname, 'heap-cycles.ts')

/** A namespace of an API in which something changes whenever it is watched, and no watch lasts. */
class RestlessNamespace {
  readonly #name: string
  #version = 1
  #watches = 0
  readonly #objects: object[]

  constructor(name: string) {
    this.#name = name
    this.#objects = Array.from({ length: OBJECTS }, (_, index) => this.#anObject(index))
  }

  serve({ url = '' }: IncomingMessage, response: ServerResponse): void {
    const name = /configmaps\/one-(\d+)/.exec(url)?.[1]
    const metadata = { resourceVersion: String(this.#version) }
    const list = { kind: 'ConfigMapList', metadata, items: this.#objects }
    if (url.includes('watch=true')) this.#watch(response)
    else response.end(JSON.stringify(name === undefined ? list : this.#objects[Number(name)]))
  }

  /** Tells of one change, and then goes wrong in one of many ways, or ends as it should. */
  #watch(response: ServerResponse): void {
    const turn = this.#watches++ % 100
    if (turn === 0) return void response.destroy()
    if (turn === 1) return void response.writeHead(500).end('{}')
    if (turn === 2) return void response.writeHead(429, { 'retry-after': '0' }).end('{}')
    this.#version += 1
    const index = this.#version % OBJECTS
    const object = this.#anObject(index)
    this.#objects[index] = object
    const event = `${JSON.stringify({ type: 'MODIFIED', object })}\n`
    if (turn === 3) return void response.end(`${event}garbage\n`)
    if (turn === 4) return void response.end(`${event}{"type":"ERROR","object":{"code":410}}\n`)
    if (turn === 5) return void response.write(event, () => response.destroy())
    response.end(event)
  }

  /** What is kept of it for too long is seen: a kilobyte that is in no other. */
  #anObject(index: number) {
    return {
      metadata: {
        name: `one-${index}`,
        namespace: this.#name,
        uid: `uid-${index}`,
        resourceVersion: String(this.#version),
        labels: { watched: 'yes' },
        managedFields: [{ manager: 'test', fieldsV1: { 'f:data': {} } }],
      },
      data: { value: randomBytes(500).toString('hex') },
    }
  }
}

/**
 * What a client that follows an API promises of its memory. The first 2,000 changes are for it to
 * warm up; what has piled up is measured every 2,000 after that.
 */
export const heapContract = (cycles: number) =>
  test(`after ${cycles} changes on watches that end in all ways, nothing has piled up`, async () => {
    const authority = createAuthority()
    const ca = authority.certificate
    const server = authority.issueServer('localhost')
    const namespaces = NAMESPACES.map((name) => new RestlessNamespace(name))
    const port = new HttpsPort({ ca, ...server }, (request, response) => {
      const name = request.url?.split('/')[4] ?? ''
      namespaces[NAMESPACES.indexOf(name)]?.serve(request, response)
    })
    const folder = await mkdtemp(join(tmpdir(), 'talos-operator-heap-'))
    const kubeconfig = join(folder, 'kubeconfig')
    const admin = authority.issueClient('admin', 'system:masters')
    await writeFile(kubeconfig, kubeconfigFor({ server: await port.listen(true), ca, ...admin }))
    const args = [
      '--expose-gc',
      '--import',
      'tsx',
      PROGRAM,
      kubeconfig,
      String(cycles),
      ...NAMESPACES,
    ]

    // It ends by itself: what it left running would keep it.
    const { stdout, stderr } = await outputOf(args)

    await port.listen(false)
    await rm(folder, { recursive: true })
    expect(stderr).toBe('')
    const samples: Sample[] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const [first, ...later] = samples
    expect(later).not.toEqual([])
    const last = samples.at(-1)
    expect(last?.changes).toBeGreaterThanOrEqual(cycles)
    expect(last?.calls).toBeGreaterThan(cycles / 5)
    expect(last?.failures).toBeGreaterThan(cycles / 50)
    const grown = later.map(({ heapBytes }) => heapBytes - (first?.heapBytes ?? 0))
    expect(Math.max(...grown), JSON.stringify(samples, null, 2)).toBeLessThan(MOST_GROWTH_BYTES)
    for (const { sockets, timers, listeners } of samples) {
      expect(Math.max(sockets, timers, listeners)).toBeLessThan(MOST_OPEN)
    }
  }, 120_000)

/** What the program prints; where it fails or does not end, also why. */
const outputOf = (args: string[]): Promise<{ stdout: string; stderr: string }> =>
  promisify(execFile)(process.execPath, args, { timeout: LONGEST_RUN_MS }).catch(
    ({ message, stdout, stderr }) => ({ stdout, stderr: `${message}\n${stderr}\n${stdout}` }),
  )
