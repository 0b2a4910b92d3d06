import { createPrivateKey } from 'node:crypto'
import { kinds } from '#api/kinds.ts'
import { openApi } from '#apiserver/open-api.ts'
import type { RestServer } from '#apiserver/rest/server.ts'
import { signingKeyWhenUsed } from '#apiserver/security/json-web-token.ts'
import { openStore } from '#apiserver/store/open-store.ts'
import type { Clock } from '#base/clock.ts'
import { createKey } from '#base/x509.ts'
import {
  backendOf,
  type ClusterContent,
  NOTHING,
} from '#simulator/kubernetes/serving/cluster-content.ts'
import { installKinds } from '#test/conformance/kinds/install.ts'
import type { Send } from '#test/conformance/kubernetes/https-json.ts'
import { quietLog } from '#test/quiet-log.ts'
import { ANYONE } from './client-socket.ts'
import { askRest } from './in-process-rest.ts'

/** An API that is not listened for: only this process can ask it, and everyone is the administrator. */
export interface InProcessApi extends AsyncDisposable {
  rest: RestServer
  send: Send
}

const FIRST_REVISION = 100

let made: Promise<ClusterContent> | undefined

/** Starts an API that has our kinds. Its end fails if it logged an error. */
export async function inProcessApi(clock: Clock): Promise<InProcessApi> {
  made ??= contentWithKinds(clock)
  const { content: _, ...api } = await opened(clock, await made)
  return api
}

/** Kinds take longer to install than all else that a world needs: once is enough for a process. */
async function contentWithKinds(clock: Clock): Promise<ClusterContent> {
  await using api = await opened(clock, NOTHING)
  await installKinds(api.send, kinds)
  return await api.content()
}

async function opened(clock: Clock, content: ClusterContent) {
  const errors: unknown[] = []
  const log = quietLog({ error: (message, fields) => void errors.push({ message, ...fields }) })
  const store = await openStore({
    ...{ backend: backendOf(content), clock, firstRevision: FIRST_REVISION },
    onListenerError: (error) => void errors.push(String(error)),
  })
  const { rest, [Symbol.dispose]: end } = await openApi({
    ...{ store, clock, log, authority: 'of nobody', authentication: false },
    accountKey: signingKeyWhenUsed(() => createPrivateKey(createKey().open())),
  })
  return {
    rest,
    send: lookingOnce(sendTo(rest), () => store.revision),
    content: () => ({ revision: store.revision, entries: store.list('') }),
    async [Symbol.asyncDispose]() {
      end()
      await store[Symbol.asyncDispose]()
      if (errors.length > 0) throw new Error(`the API logged errors: ${JSON.stringify(errors)}`)
    },
  }
}

/** Whoever waits looks again and again; while nothing was written, the answer is the one before. */
function lookingOnce(send: Send, revision: () => number): Send {
  const known = new Map<string, { status: number; text: string }>()
  let at = revision()
  return async (call) => {
    // A table says how old things are.
    if (call.method !== 'GET' || call.accept !== undefined) return send(call)
    if (at !== revision()) known.clear()
    at = revision()
    const before = known.get(call.path)
    if (before) return { status: before.status, body: parsed(before.text), warnings: [] }
    const answer = await send(call)
    if (at === revision()) {
      known.set(call.path, { status: answer.status, text: JSON.stringify(answer.body) })
    }
    return answer
  }
}

const { signal: never } = new AbortController()

const sendTo =
  (rest: RestServer): Send =>
  async ({ method, path, body, text, ...call }) => {
    const { contentType = 'application/json', accept = 'application/json' } = call
    const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
    const answer = await askRest(
      rest,
      {
        ...{ method, url: new URL(path, 'https://api'), signal: never },
        headers: { accept, 'content-type': contentType },
        ...(content !== undefined && { body: content }),
      },
      ANYONE,
    )
    let said = ''
    for await (const chunk of answer.body.setEncoding('utf8')) said += chunk
    return { status: answer.status, body: parsed(said), warnings: [] }
  }

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
