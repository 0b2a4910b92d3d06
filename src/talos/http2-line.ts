import { type ClientHttp2Session, connect } from 'node:http2'
import { Readable, Writable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { onAbort } from '#base/on-abort.ts'
import { CallError } from './call-error.ts'
import { framed } from './framing.ts'
import { type CallEvents, Http2Call } from './http2-call.ts'
import type { Cancellable, Done, Line } from './line.ts'

// Nothing but a name in the requests: which machine it is, the connection has settled.
const AUTHORITY = 'https://machine.talos'
// Messages are bounded one by one; this would break off calls that have nothing to do with the one that is large.
const SESSION_MEMORY_MB = 1_024

/**
 * Speaks gRPC with the machine at the other end. Resolves when that has said something, for only then it has
 * let us in: with TLS 1.3 a server refuses a client after the client's handshake is done.
 */
export function http2Line(socket: TLSSocket, signal: AbortSignal): Promise<Line> {
  const session = connect(AUTHORITY, {
    createConnection: () => socket,
    settings: { enablePush: false },
    maxSessionMemory: SESSION_MEMORY_MB,
  })
  return new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => session.destroy())
    const fail = (error: Error) => {
      leave()
      // Node ends the session for an alert that comes after the handshake, and leaves this open.
      socket.destroy()
      reject(signal.aborted ? signal.reason : error)
    }
    socket.on('error', fail)
    // Each call is told by itself.
    session.on('error', fail)
    session.once('close', () => fail(new Error('it ended the connection during the TLS handshake')))
    session.once('remoteSettings', () => {
      leave()
      resolve(new Http2Line(session))
    })
  })
}

class Http2Line implements Line {
  readonly #session: ClientHttp2Session

  constructor(session: ClientHttp2Session) {
    this.#session = session
  }

  isUp(): boolean {
    return !this.#session.closed && !this.#session.destroyed
  }

  close(): void {
    this.#session.destroy()
  }

  ask(path: string, message: Uint8Array, done: Done): Cancellable {
    return this.#begin(path, oneAnswer(done), (call) => call.stream.end(framed(message)))
  }

  follow(path: string, message: Uint8Array): Readable & Cancellable {
    let call: Http2Call | undefined
    const answers = new Readable({
      objectMode: true,
      read: () => call?.stream.resume(),
      destroy: (error, callback) => {
        call?.cancel()
        callback(error)
      },
    })
    const events: CallEvents = {
      onMessage: (bytes) => {
        if (!answers.push(bytes)) call?.stream.pause()
      },
      onEnd: (error) => {
        if (error) answers.destroy(error)
        else answers.push(null)
      },
    }
    const cancel = this.#begin(path, events, (begun) => {
      call = begun
      begun.stream.end(framed(message))
    })
    return Object.assign(answers, cancel)
  }

  upload(path: string, done: Done): Writable & Cancellable {
    let call: Http2Call | undefined
    const messages = new Writable({
      objectMode: true,
      write: (message: Uint8Array, _encoding, written) => {
        if (call) sent(call, message, written)
        else written()
      },
      final: (ended) => {
        call?.stream.end()
        ended()
      },
    })
    const events = oneAnswer((error, answer) => {
      messages.destroy()
      done(error, answer)
    })
    const cancel = this.#begin(path, events, (begun) => {
      call = begun
    })
    return Object.assign(messages, cancel)
  }

  /** Begins a call. Whoever asks has it in hand before it can be over. */
  #begin(path: string, events: CallEvents, send: (call: Http2Call) => void): Cancellable {
    let call: Http2Call | undefined
    try {
      call = new Http2Call(this.#session, path, events)
      send(call)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setImmediate(() => (call ? call.fail(error) : events.onEnd(error)))
    }
    return { cancel: () => call?.cancel() }
  }
}

/** Waits until there is room for more. */
function sent(call: Http2Call, message: Uint8Array, written: () => void): void {
  try {
    // What became of it is told by the call.
    call.stream.write(framed(message), () => written())
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    call.fail(error)
    written()
  }
}

/** Exactly one message is an answer. */
function oneAnswer(done: Done): CallEvents {
  const answers: Buffer[] = []
  return {
    onMessage: (message) => {
      if (answers.length <= 1) answers.push(message)
    },
    onEnd: (error) => {
      const [answer, more] = answers
      if (error) done(error)
      else if (answer && !more) done(undefined, answer)
      else {
        const why = answer ? 'there is more than one message' : 'there is no message'
        done(new CallError({ is: 'unreadable', why }))
      }
    },
  }
}
