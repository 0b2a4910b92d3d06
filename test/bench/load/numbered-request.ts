import { contentOf } from '#test/bench/subjects/calls.ts'

export const ACTIONS = ['create', 'apply', 'get', 'patch'] as const

/** What is done to a ConfigMap of 4 KB; a patch changes one of its keys. */
export type Action = (typeof ACTIONS)[number]

const DIGITS = 8
const NAME = 'N'.repeat(DIGITS)
const VERSION = 'V'.repeat(DIGITS)

/**
 * A request that is made once and sent many times, with other numbers in its place of a name and of a
 * version. The bytes are good until the next are asked for.
 */
export class NumberedRequest {
  readonly #bytes: Buffer
  readonly #names: number[]
  readonly #versions: number[]

  constructor(text: string) {
    this.#bytes = Buffer.from(text)
    this.#names = placesOf(NAME, this.#bytes)
    this.#versions = placesOf(VERSION, this.#bytes)
  }

  with(name: number, version: number): Buffer {
    this.#write(name, this.#names)
    this.#write(version, this.#versions)
    return this.#bytes
  }

  #write(number: number, places: number[]): void {
    const digits = String(number).padStart(DIGITS, '0')
    for (const place of places) this.#bytes.write(digits, place, 'latin1')
  }
}

function placesOf(mark: string, bytes: Buffer): number[] {
  const places: number[] = []
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) places.push(at)
  return places
}

/** The request for an action on ConfigMaps of a namespace. */
export function requestFor(action: Action, namespace: string): NumberedRequest {
  const path = `/api/v1/namespaces/${namespace}/configmaps`
  const one = `${path}/bench-${NAME}`
  switch (action) {
    case 'create':
      return request(`POST ${path}`, 'application/json', configMap(namespace))
    case 'apply':
      return request(
        `PATCH ${one}?fieldManager=bench`,
        'application/apply-patch+yaml',
        configMap(namespace),
      )
    case 'get':
      return request(`GET ${one}`)
    case 'patch':
      return request(`PATCH ${one}`, 'application/merge-patch+json', { data: { version: VERSION } })
  }
}

const configMap = (namespace: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `bench-${NAME}`, namespace, labels: { app: 'bench', number: NAME } },
  data: contentOf(VERSION),
})

function request(line: string, contentType?: string, body?: object): NumberedRequest {
  const sent = body ? JSON.stringify(body) : ''
  const head = [
    `${line} HTTP/1.1`,
    'host: localhost',
    'accept: application/json',
    'user-agent: bench',
    ...(body ? [`content-type: ${contentType}`, `content-length: ${Buffer.byteLength(sent)}`] : []),
  ]
  return new NumberedRequest(`${head.join('\r\n')}\r\n\r\n${sent}`)
}
