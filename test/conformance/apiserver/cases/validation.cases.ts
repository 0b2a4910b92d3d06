import type { Fields } from '#apiserver/objects.ts'
import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import { MERGE, widget, widgetsOf } from './objects.ts'

/** What is answered to a widget of this spec. Nothing is stored. */
const creating = (name: string, spec: Fields): Case =>
  asking(name, (stage) => stage.post(`${widgetsOf(stage)}?dryRun=All`, widget(stage, 'a', spec)))

const keywords: Case[] = [
  creating('minLength', { short: 'a' }),
  creating('maxLength', { short: 'abcdef' }),
  creating('maxLength counts characters', { short: 'äöüßé' }),
  creating('pattern', { lower: 'ABC' }),
  creating('enum of texts', { choice: 'c' }),
  creating('enum of numbers', { number: 3 }),
  creating('minimum', { small: 0 }),
  creating('maximum', { small: 11 }),
  creating('exclusive bounds', { between: 0 }),
  creating('exclusive upper bound', { between: 10 }),
  creating('multipleOf', { even: 3 }),
  creating('minItems', { few: [] }),
  creating('maxItems', { few: ['a', 'b', 'c'] }),
  creating('minProperties', { pairs: {} }),
  creating('maxProperties', { pairs: { a: '1', b: '2', c: '3' } }),
  creating('required', { needy: {} }),
  creating('required in an object in an object', { needy: { name: 'a', deep: {} } }),
  creating('oneOf with none', { either: {} }),
  creating('oneOf with both', { either: { left: 'a', right: 'b' } }),
  creating('anyOf', { any: {} }),
  creating('allOf', { all: { left: 'a' } }),
  creating('not', { never: { left: 'a' } }),
  creating('a text where an integer is due', { small: 'five' }),
  creating('a fraction where an integer is due', { small: 1.5 }),
  creating('a whole number with a point is an integer', { small: 2.0 }),
  creating('a number where a text is due', { mode: 5 }),
  creating('a text where a boolean is due', { flag: 'true' }),
  creating('a list where an object is due', { needy: [] }),
  creating('an object where a list is due', { few: {} }),
  creating('a text where a list is due', { tags: 'a' }),
  creating('items of the wrong type', { few: [1] }),
  creating('values of the wrong type', { counts: { a: 'x', b: 1 } }),
  creating('null where it is not allowed', { mode: null }),
  creating('null where it is allowed', { perhaps: null }),
  creating('null in a list', { few: [null] }),
  creating('null as an object', { needy: null }),
  creating('int-or-string takes both', { port: 'http', percent: '10%' }),
  creating('int-or-string takes no other', { port: true }),
  creating('a pattern of an int-or-string is of the text', { percent: 5 }),
  creating('a pattern of an int-or-string is not met', { percent: 'x' }),
  creating('several failures are told together', { short: 'a', small: 99, choice: 'x', needy: {} }),
  creating('a long list of failures', {
    ports: Array.from({ length: 15 }, () => ({ number: 'x' })),
  }),
]

const formats: Case[] = Object.entries({
  int32: 3_000_000_000,
  int64: 9_300_000_000_000_000_000,
  time: 'yesterday',
  day: '2001-13-01',
  duration: 'long',
  email: 'nobody',
  ipv4: '1.2.3',
  ipv6: '1.2.3.4',
  cidr: '10.0.0.0',
  uri: 'not a uri',
  hostname: 'bad_host!',
  uuid: 'none',
  bytes: '!!!',
  mac: 'zz',
  made: 'anything',
}).map(([field, value]) => creating(`format: ${field}`, { [field]: value }))

const goodFormats = creating('values of all formats', {
  int32: 5,
  int64: 9_000_000_000_000,
  time: '2001-01-01T00:00:00Z',
  day: '2001-01-01',
  duration: '1h',
  email: 'a@example.com',
  ipv4: '1.2.3.4',
  ipv6: '::1',
  cidr: '10.0.0.0/8',
  uri: 'https://example.com/a',
  hostname: 'example.com',
  uuid: '11111111-2222-3333-4444-555555555555',
  bytes: 'YQ==',
  mac: '00:00:00:00:00:01',
})

const lists: Case[] = [
  creating('duplicates in a set', { tags: ['a', 'b', 'a'] }),
  creating('duplicates in a list by key', {
    ports: [{ name: 'a' }, { name: 'a', protocol: 'TCP' }],
  }),
  creating('the same name with another protocol is no duplicate', {
    ports: [{ name: 'a' }, { name: 'a', protocol: 'UDP' }],
  }),
  creating('a key that is missing', { ports: [{ number: 1 }] }),
  creating('duplicates in an atomic list', { steps: [{ run: 'a' }, { run: 'a' }] }),
]

const filling: Case[] = [
  creating('defaults are filled in where their parent is', { filled: {} }),
  creating('defaults in the items of a list', { filled: { items: [{}, { mode: 'x' }] } }),
  creating('no default where the parent is absent', {}),
  creating('null takes a default unless it is allowed', {
    filled: { colour: null, nothing: null },
  }),
  creating('a default of a key of a list', { ports: [{ name: 'a' }] }),
  creating('unknown fields are dropped', { unknown: 1, needy: { name: 'a', x: 1 }, few: ['a'] }),
  creating('unknown fields are kept where the schema says so', {
    raw: { a: { b: [1, { c: null }] } },
    partly: { x: 1, known: { name: 'a', y: 2 } },
  }),
  creating('an embedded object needs its type', { template: { metadata: { name: 'a' } } }),
  creating('an embedded object has metadata', {
    template: {
      apiVersion: 'v1',
      kind: 'X',
      metadata: { name: 'Bad Name', unknown: 1, labels: { a: 'b' } },
      any: 1,
    },
  }),
  creating('an embedded object with bad metadata', {
    template: { apiVersion: 'v1', kind: 'X', metadata: { labels: { a: 5 } } },
  }),
  creating('an embedded object with a bad apiVersion', {
    template: { apiVersion: 'a/b/c', kind: '' },
  }),
  asking('the status of a new object is dropped', (stage) =>
    stage.post(widgetsOf(stage), { ...widget(stage, 'a'), status: { phase: 'Up' } }),
  ),
  asking('apiVersion, kind and metadata cannot be forgotten by a schema', (stage) =>
    stage.post(widgetsOf(stage), {
      ...widget(stage, 'a'),
      metadata: { name: 'a', labels: { x: 'y' } },
    }),
  ),
  asking('a spec that is no object is refused', async (stage) => {
    for (const spec of ['text', [], 5, null]) {
      await stage.post(`${widgetsOf(stage)}?dryRun=All`, { ...widget(stage, 'a'), spec })
    }
  }),
]

/** An update of a stored widget. */
const changing = (name: string, from: Fields, to: Fields): Case =>
  asking(name, async (stage) => {
    await stage.post(widgetsOf(stage), widget(stage, 'a', from), { show: () => '' })
    await stage.patch(widgetsOf(stage, 'a'), { spec: to }, { contentType: MERGE })
  })

const rules: Case[] = [
  creating('a rule with a message and a path', { range: { low: 5, high: 1 } }),
  creating('a rule that holds', { range: { low: 1, high: 5 } }),
  creating('a rule without a message', { bare: 'bad' }),
  creating('a rule on items of a list', { hosts: ['h1', 'x2', 'h3', 'y4'] }),
  creating('a rule is not asked if the type is wrong', { range: { low: 'x', high: 1 } }),
  creating('rules and keywords fail together', { range: { low: 5, high: 1 }, small: 99 }),
  creating('a transition rule is not asked on creation', { fixed: 'a', growing: 5 }),
  changing('a transition rule on a change', { fixed: 'a' }, { fixed: 'b' }),
  changing('a transition rule on what appears', {}, { fixed: 'b' }),
  changing('a transition rule on what goes', { fixed: 'a' }, { fixed: null }),
  changing(
    'a transition rule with a reason and a message of its own',
    { growing: 5 },
    { growing: 3 },
  ),
  changing('a message that depends on the value', { growing: 5 }, { growing: -3 }),
  changing('a transition rule that holds', { growing: 5 }, { growing: 7 }),
]

export const validationCases: Subject = {
  subject: 'validation',
  cases: [...keywords, ...formats, goodFormats, ...lists, ...filling, ...rules],
}
