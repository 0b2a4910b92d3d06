import { expect, test } from 'vitest'
import type { Schema } from '#apiserver/schema.ts'
import { answerOf } from './answers.cases.ts'

const schema: Schema = {
  type: 'object',
  properties: {
    a: { type: 'integer' },
    n: { type: 'number' },
    b: { type: 'boolean' },
    s: { type: 'string' },
    t: { type: 'string' },
    l: { type: 'array', items: { type: 'string' } },
    li: { type: 'array', items: { type: 'integer' } },
    ll: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
    m: { type: 'object', additionalProperties: { type: 'integer' } },
    ms: { type: 'object', additionalProperties: { type: 'string' } },
    o: { type: 'object', properties: { x: { type: 'string' }, y: { type: 'integer' } } },
    ol: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object', properties: { k: { type: 'string' }, v: { type: 'integer' } } },
    },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    ios: { 'x-kubernetes-int-or-string': true },
    dt: { type: 'string', format: 'date-time' },
    d: { type: 'string', format: 'date' },
    du: { type: 'string', format: 'duration' },
    by: { type: 'string', format: 'byte' },
    nul: { type: 'string', nullable: true },
    'a-b': { type: 'integer' },
    namespace: { type: 'string' },
    x__y: { type: 'integer' },
    pu: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    emb: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
    e: { type: 'string', enum: ['a', 'bbb'] },
  },
}

const json = {
  a: 5,
  n: 1.5,
  b: true,
  s: 'hello',
  t: 'h\u00e9llo w\u00f6rld',
  l: ['a', 'b', 'c'],
  li: [3, 1, 2],
  ll: [[1, 2], [3]],
  m: { x: 1, y: 2 },
  ms: { p: 'q' },
  o: { x: 'X', y: 7 },
  ol: [
    { k: 'one', v: 1 },
    { k: 'two', v: 2 },
  ],
  set: ['p', 'q'],
  ios: '50%',
  dt: '2024-02-29T12:34:56.789Z',
  d: '2024-02-29',
  du: '1h30m',
  by: 'aGVsbG8=',
  nul: null,
  'a-b': 3,
  namespace: 'ns',
  x__y: 9,
  pu: { z: 1 },
  emb: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p1' }, spec: {} },
  e: 'a',
}

// Each answer is the one that kube-apiserver v1.36.4 gives.
const answers = String.raw`
  self.l.size() => 3
  self.m.size() => 2
  (self.ol + self.ol).size() => 2
  self.s < self.t => true
  true > false => true
  self.l == ["a","b","c"] => true
  self.set == ["q","p"] => true
  self.m == {"y":2,"x":1} => true
  self.o == self.o => true
  self.ol == self.ol => true
  self == self => true
  dyn(1) == dyn(1.0) => true
  dyn(1) == dyn(1u) => true
  dyn("a") == dyn(1) => false
  dyn(1) != dyn("1") => true
  self.m["x"] => 1
  self.m["zz"] => !no such key: zz
  self.m.x => 1
  self.l[0] => a
  self.l[3] => !index out of bounds: 3
  self.l[-1] => !index out of bounds: -1
  self.l[1+1] => c
  self.ll[0][1] => 2
  has(self.a) => true
  has(self.nul) => false
  has(self.o.x) => true
  has(self.pu) => true
  has(self.m.x) => true
  has(self.m.zz) => false
  has(self.emb) => true
  self.emb.metadata.name => p1
  self.emb.kind => Pod
  has(self.emb.metadata.generateName) => false
  self.__namespace__ => ns
  self.x__underscores__y => 9
  self.ios => 50%
  self.ios == "50%" => true
  self.ios == 50 => false
  self.ios.size() => 3
  self.ios.foo => !no such key: foo
  self.e => a
  !self.b => false
  self.b && self.a == 5 => true
  self.b || self.m["zz"] == 1 => true
  self.m["zz"] == 1 || self.b => true
  self.m["zz"] == 1 && false => false
  false && self.m["zz"] == 1 => false
  self.m["zz"] == 1 && true => !no such key: zz
  self.l.first().value() => a
  self.l.last().value() => c
  self.l.join() => abc
  self.l.join("-") => a-b-c
  strings.quote("a\"b\nc") => "a\"b\nc"
  matches(self.s, "z") => false
  self.l.lastIndexOf("b") => 1
  self.by => hello
  self.by == b"hello" => true
  dyn({"a":1}).a => 1
  dyn(self.a).b => !no such key: b
  list == type([]) => true
  net.IP == type(ip("1.1.1.1")) => true
  .self.a => 5
  self.pu == self.pu => true
  self.emb == self.emb => true
  has(self.ios.foo) => false
  has(dyn(self.a).b) => false
  dyn(self).a => 5
  dyn(self).zz => !no such key: zz
  dyn(self.o).x => X
  dyn(self.l)[0] => a
  dyn(self.l)["a"] => !unsupported index type 'string' in list
  dyn(self.l)[1.0] => !unsupported index: 1
  dyn(self.l)[1.5] => !unsupported index value 1.5 in list
  dyn(self.a)[0] => !no such key: 0
  dyn([1,2,3])[0] => 1
  dyn(1) || true => true
  true || dyn(1) => true
  dyn(true) && dyn(true) => true
  .5 => 0.5
  !!true => true
  self.l == [] => false
  self.m == {} => false
  self.o.y + self.m.x => 8
  self.ol[0].k => one
  self.l.lastIndexOf("zz") => -1
  strings.quote("tab\there") => "tab\there"
  ["z"] + self.l => ["z", "a", "b", "c"]
  ["q","p"] == self.set => false
  [1,2] == [1,2,3] => false
  {1:"a"}[1] => a
  {1:"a"}[2] => !no such key: 2
  {"a":1}.a => 1
  {"a":1}.b => !no such key: b
  {"a":1}["b"] => !no such key: b
  "x" in self.m => true
  "a" in self.l => true
  5 in self.li => false
  self.a in [1,2,5] => true
  "z" in {"z":1} => true
  self.l.all(x, x.size() == 1) => true
  self.l.all(x, x == "a") => false
  self.l.exists(x, x == "b") => true
  self.l.exists(x, x == "zz") => false
  self.l.exists_one(x, x == "b") => true
  self.l.exists_one(x, x != "b") => false
  self.l.map(x, x + x) => ["aa", "bb", "cc"]
  self.l.map(x, x != "a", x + "!") => ["b!", "c!"]
  self.l.filter(x, x > "a") => ["b", "c"]
  self.m.all(k, self.m[k] > 0) => true
  self.m.exists(k, k == "y") => true
  self.m.map(k, self.m[k]).sum() => 3
  self.li.all(x, self.m["q"] == x) => !no such key: q
  self.li.all(x, x > 5 || self.m["q"] == x) => !no such key: q
  self.li.exists(x, x == 2 || self.m["q"] == x) => true
  self.ll.map(x, x.map(y, y * 2)) => [[2, 4], [6]]
  self.l.all(i, v, i < 3) => true
  self.l.all(i, v, v == "a" || i > 0) => true
  self.l.exists(i, v, i == 2 && v == "c") => true
  self.l.existsOne(i, v, v == "a") => true
  self.l.exists_one(i, v, v == "a") => true
  self.m.all(k, v, v > 0) => true
  self.m.transformList(k, v, v).sum() => 3
  self.m.transformMap(k, v, v + 1) => {"x":2, "y":3}
  self.m.transformMap(k, v, v > 1, v + 1) => {"y":3}
  self.l.transformMap(i, v, v) => {0:"a", 1:"b", 2:"c"}
  self.l.transformMapEntry(i, v, {v: i}) => {"a":0, "b":1, "c":2}
  self.l.transformMapEntry(i, v, {"k": i}) => !insert failed: key k already exists
  [].first().hasValue() => false
  self.s.indexOf("l") => 2
  self.s.indexOf("l", 3) => 3
  self.s.indexOf("z") => -1
  self.s.indexOf("") => 0
  self.s.indexOf("l", -1) => !index out of range: -1
  self.s.indexOf("l", 99) => -1
  self.t.indexOf("w") => 6
  self.li.isSorted() => false
  self.li.sum() => 6
  [1.5, 2.5].sum() => 4
  [].sum() => 0
  self.li.min() => 1
  self.li.max() => 3
  [].min() => !min called on empty list
  self.l.indexOf("b") => 1
  self.l.indexOf("zz") => -1
  self.li.sort() => [1, 2, 3]
  self.l.reverse() => ["c", "b", "a"]
  [1,1,2].distinct() => [1, 2]
  [3,1,2].sortBy(x, -x) => [3, 2, 1]
  self.ol.sortBy(x, -x.v).map(x, x.k) => ["two", "one"]
  self.l.slice(1, 3) => ["b", "c"]
  self.l.slice(1, 9) => !cannot slice(1, 9), list is length 3
  [[1],[2,3]].flatten() => [1, 2, 3]
  self.ll.flatten() => [1, 2, 3]
  lists.range(4) => [0, 1, 2, 3]
  sets.contains([1,2,3],[1,2]) => true
  sets.contains([1],[1,2]) => false
  sets.equivalent([1,2],[2,1,1]) => true
  sets.intersects([1],[2]) => false
  sets.intersects(self.l,["c"]) => true
  dyn([1,2]).map(x, x) => [1, 2]
  dyn("a").all(x, true) => !got 'types.String', expected iterable type
  self.l.map(x, self.l.map(y, x + y)).flatten().size() => 9
  [1,2,3].map(x, [4,5].exists(y, y == x + 3)) => [true, true, false]
  dyn(self.a) in [5] => true
  self.li.map(x, x / (x - 1)) => !division by zero
  self.li.exists(x, 10 / (x - 1) > 1) => true
  self.li.all(x, 10 / (x - 1) > 100) => false
  self.li.exists_one(x, 10 / (x - 1) > 1) => !division by zero
  self.li.filter(x, 10 / (x - 1) > 1) => !division by zero
  {"a": 1, "a": 2} => {"a":2}
  {true: 1}[true] => 1
  "a" in ["a"] && true => true
  [1, 2, 3,] => [1, 2, 3]
  {"a": 1,} => {"a":1}
  [] => []
  {} => {}
  self.l.map(x, x).map(y, y) => ["a", "b", "c"]
  self.l.map(x, [x, x]).map(y, y[0]) => ["a", "b", "c"]
  self.ol.map(e, e.k) => ["one", "two"]
  self.ol.all(e, e.v > 0) => true
  self.ol.exists(e, e.k == "two") => true
  self.ol.filter(e, e.v > 1) => [{"k":"two", "v":2}]
  self.ol.filter(e, e.v > 1)[0].k => two
  self.m.map(k, k) => ["x", "y"]
  self.ms.map(k, self.ms[k]) => ["q"]
  self.m.filter(k, self.m[k] > 1) => ["y"]
  [1,2,1].indexOf(1) => 0
  [1,2,1].lastIndexOf(1) => 2
  [[1,2],[3]].map(x, x.sum()) => [3, 3]
  [1.5,2.0].max() => 2
  [true,false].isSorted() => false
  [2,1].sort() => [1, 2]
  ["b","a"].sort() => ["a", "b"]
  [1,2,3].reverse() => [3, 2, 1]
  [].reverse() => []
  ["a","a","b"].distinct() => ["a", "b"]
  [self.o, self.o].distinct().size() => 1
  [1,2,3].slice(0,0) => []
  [1,2,3].slice(-1,2) => !cannot slice(-1, 2), negative indexes not supported
  lists.range(0) => []
  lists.range(-1) => []
  [[[1]],[[2]]].flatten() => [[1], [2]]
  [[[1]],[[2]]].flatten(0) => [[[1]], [[2]]]
  [[[1]],[[2]]].flatten(-1) => !level must be non-negative
  [{"n":2},{"n":1}].sortBy(e, e.n) => [{"n":1}, {"n":2}]
  [3,1,2].sortBy(x, "a") => [3, 1, 2]
  self.l.transformMap(i, v, {v: i}) => {0:{"a":0}, 1:{"b":1}, 2:{"c":2}}
  self.m.transformMapEntry(k, v, {v: k}) => {1:"x", 2:"y"}
  self.m.exists(k, v, k == "x" && v == 1) => true
  self.m.existsOne(k, v, v == 1) => true
  [].all(i, v, false) => true
  [].exists(i, v, true) => false
  {}.transformList(k, v, k) => []
  "abc".indexOf("c", 2) => 2
  type(optional.of(1)) => optional_type
  type(self.ios) == string ? self.ios : string(self.ios) => 50%
  self.a == 5 ? "yes" : "no" => yes
  self.?a.orValue(1) => 5
  self.?nul.orValue("none") => none
  self.?nul.hasValue() => false
  self.?o.?x.orValue("q") => X
  self.?o.x.orValue("q") => X
  self.m[?"x"].orValue(7) => 1
  self.m[?"zz"].orValue(7) => 7
  self.l[?0].orValue("n") => a
  self.l[?9].orValue("n") => n
  self.l[?9].value() => !optional.none() dereference
  optional.of(1).value() => 1
  optional.none().hasValue() => false
  optional.ofNonZeroValue(0).hasValue() => false
  optional.ofNonZeroValue("").hasValue() => false
  optional.ofNonZeroValue([1]).hasValue() => true
  optional.of(1).or(optional.of(2)).value() => 1
  optional.none().or(optional.of(2)).value() => 2
  self.?a.optMap(x, x + 1).orValue(0) => 6
  self.m[?"x"].optFlatMap(x, optional.of(x + 5)).orValue(0) => 6
  optional.unwrap([optional.of(1), optional.none()]) => [1]
  [optional.of(1), optional.none()].unwrapOpt() => [1]
  optional.of(1) == optional.of(1) => true
  optional.none() == optional.of(1) => false
  "aXbXc".findAll("[a-z]X?") => ["aX", "bX", "c"]
  "\a\b\f\v\?".size() => 5
  "abc".matches("(?i)ABC") => true
  "ABC".matches("(?i)a[b]c") => true
  "a\nb".matches("(?s)a.b") => true
  "a\nb".matches("(?m)^b$") => true
  "foo-bar".matches("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$") => true
  "foo--".matches("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$") => false
  "1.2.3.4".matches("^((25[0-5]|(2[0-4]|1\\d|[1-9]|)\\d)\\.?\\b){4}$") => true
  "aaa bbb".find("b+?") => b
  "foobar".find("(foo|foobar)(bar)?") => foobar
  "abcabc".find("(?P<x>abc)+") => abcabc
  "abc".find("(?U)a.*") => a
  self.l.size() > 0 ? self.l[0] : "" => a
  optional.of(optional.of(1)).value().value() => 1
  optional.of(1).orValue(2) => 1
  optional.none().orValue(2) => 2
  self.?o.orValue(self.o).x => X
  self.?l[0].orValue("q") => a
  self.?l[?7].orValue("q") => q
  self.?m["x"].orValue(0) => 1
  self.?m.x.orValue(0) => 1
  self.?m.?x.orValue(0) => 1
  self.?m.?zz.orValue(0) => 0
  has(self.?o.x) => true
  {"a": {"b": 1}}.?a.?b.orValue(0) => 1
  {"a": {"b": 1}}.?a.b.orValue(0) => 1
  {"a": {"b": 1}}[?"c"].?b.orValue(0) => 0
  string(self.dt) => 2024-02-29T12:34:56.789Z
  string(self.du) => 5400s
  string(self.d) => 2024-02-29T00:00:00Z
  type(self.dt) => google.protobuf.Timestamp
  type(self.du) => google.protobuf.Duration
  self.dt < timestamp("2025-01-01T00:00:00Z") => true
  self.du > duration("1h") => true
  "%s".format([self.dt]) => 2024-02-29T12:34:56.789Z
  "%s".format([[self.dt, self.du]]) => [timestamp("2024-02-29T12:34:56.789Z"), duration("5400s")]
  [duration("1h"), duration("1m")].sum() => 3660s
  self.dt.getFullYear() => 2024
  self.dt.getMonth() => 1
  self.dt.getDate() => 29
  self.dt.getDayOfMonth() => 28
  self.dt.getDayOfWeek() => 4
  self.dt.getDayOfYear() => 59
  self.dt.getHours() => 12
  self.dt.getMinutes() => 34
  self.dt.getSeconds() => 56
  self.dt.getMilliseconds() => 789
  self.dt.getHours("America/New_York") => 7
  self.dt.getHours("+02:00") => 14
  self.dt.getHours("-02:30") => 10
  self.dt.getHours("Foo/Bar") => !unknown time zone Foo/Bar
  self.du.getHours() => 1
  self.du.getMinutes() => 90
  self.du.getSeconds() => 5400
  self.du.getMilliseconds() => 5400000
  duration("1.5s").getMilliseconds() => 1500
  self.dt + self.du => 2024-02-29T14:04:56.789Z
  self.dt - self.du => 2024-02-29T11:04:56.789Z
  self.dt - timestamp("2024-01-01T00:00:00Z") => 5142896.789s
  self.du + self.du => 10800s
  self.du - duration("2h") => -1800s
  int(self.dt) => 1709210096
  int(self.du) => 5400000000000
  timestamp(0) => 1970-01-01T00:00:00Z
  duration("1h1m1s1ms1us1ns") => 3661.001001001s
  duration("-1.5h") => -5400s
  timestamp("2024-02-29T12:00:00+02:00") => 2024-02-29T12:00:00+02:00
  timestamp("2024-02-29T12:00:00.123456789Z") => 2024-02-29T12:00:00.123456789Z
  self.d => 2024-02-29T00:00:00Z
  google.protobuf.Timestamp == type(self.dt) => true
  type(self.du) == google.protobuf.Duration => true
  timestamp("2024-01-01T00:00:00.5Z") => 2024-01-01T00:00:00.5Z
  timestamp(1700000000) => 2023-11-14T22:13:20Z
  duration("100ms") => 0.1s
  duration("1us") => 0.000001s
  duration("-0") => 0s
  timestamp("2024-01-01T00:00:00Z") + duration("24h") => 2024-01-02T00:00:00Z
  timestamp("9999-12-31T23:59:59Z") + duration("24h") => !timestamp overflow
  timestamp("2024-01-01T00:00:00Z") == timestamp("2024-01-01T01:00:00+01:00") => true
  timestamp("1969-12-31T23:59:59.5Z") => 1969-12-31T23:59:59.5Z
  int(timestamp("1969-12-31T23:59:59.5Z")) => -1
  timestamp("2024-03-31T01:30:00Z").getHours("Europe/Berlin") => 3
  timestamp("2024-01-01T00:00:00Z").getDayOfWeek("US/Pacific") => 0
  timestamp("2024-12-31T00:00:00Z").getDayOfYear() => 365
  duration("3661.5s").getMinutes() => 61
  duration("-90m").getHours() => -1
  [self.dt, timestamp("2000-01-01T00:00:00Z")].min() => 2000-01-01T00:00:00Z
`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(' => '))

test.each(answers)('%s is %s', (text = '', expected = '') => {
  expect(answerOf(text, { schema, json })).toBe(expected)
})
