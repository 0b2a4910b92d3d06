import { quote } from '#machineconfig/quote.ts'
import {
  type Section,
  sectionAt,
  sectionsAt,
  textAt,
  valueAt,
} from '#machineconfig/validate/checks/fields.ts'
import { urlParts } from '#machineconfig/validate/checks/url-parts.ts'

/** What is wrong with the places that logs are sent to. */
export function* loggingProblems(machine: Section): Generator<string> {
  for (const destination of sectionsAt(sectionAt(machine, 'logging'), 'destinations')) {
    const endpoint = valueAt(destination, 'endpoint')
    if (typeof endpoint === 'string') yield* endpointProblems(endpoint)
    else yield 'empty logging endpoint'
    const format = textAt(destination, 'format')
    if (format !== 'json_lines') yield `unknown logging format ${quote(format)}`
  }
}

function* endpointProblems(endpoint: string): Generator<string> {
  const { scheme, host } = urlParts(endpoint)
  if (host === '') yield "empty logging endpoint's host"
  if (scheme !== 'tcp' && scheme !== 'udp') {
    yield `unexpected logging endpoint scheme ${quote(scheme)}`
  }
}
