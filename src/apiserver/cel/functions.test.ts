import { expect, test } from 'vitest'
import type { Schema } from '#apiserver/schema.ts'
import { answerOf } from './answers.cases.ts'

const schema: Schema = {
  type: 'object',
  properties: {
    a: { type: 'integer' },
    n: { type: 'number' },
    s: { type: 'string' },
    t: { type: 'string' },
    l: { type: 'array', items: { type: 'string' } },
    m: { type: 'object', additionalProperties: { type: 'integer' } },
    o: { type: 'object', properties: { x: { type: 'string' } } },
    ios: { 'x-kubernetes-int-or-string': true },
    dt: { type: 'string', format: 'date-time' },
    du: { type: 'string', format: 'duration' },
    d: { type: 'string', format: 'date' },
    by: { type: 'string', format: 'byte' },
  },
}

const json = {
  a: 5,
  n: 1.5,
  s: 'hello',
  t: 'h\u00e9llo w\u00f6rld',
  l: ['a', 'b', 'c'],
  m: { x: 1, y: 2 },
  o: { x: 'X' },
  ios: '50%',
  dt: '2024-02-29T12:34:56.789Z',
  du: '1h30m',
  d: '2024-02-29',
  by: 'aGVsbG8=',
}

// Each answer is the one that kube-apiserver v1.36.4 gives.
const answers = String.raw`
  self.a + 1 => 6
  self.a - 10 => -5
  self.a * 3 => 15
  self.a / 2 => 2
  self.a % 3 => 2
  -self.a => -5
  self.a / 0 => !division by zero
  self.a % 0 => !modulus by zero
  9223372036854775807 + self.a => !integer overflow
  -9223372036854775808 - self.a => !integer overflow
  9223372036854775807 * self.a => !integer overflow
  -(-9223372036854775808) => !integer overflow
  self.n * 2.0 => 3
  self.n / 0.0 => +Inf
  -self.n => -1.5
  1.0e100 => 1e+100
  123456789.0 * 10.0 => 1.23456789e+09
  1.0/3.0 => 0.3333333333333333
  double(self.a) => 5
  double("1.5") => 1.5
  int(self.n) => 1
  int("12") => 12
  int(-1.9) => -1
  uint(5) => 5
  uint("7") => 7
  5u + 3u => 8
  5u - 6u => !unsigned integer overflow
  5u * 2u => 10
  7u / 2u => 3
  7u % 0u => !modulus by zero
  7u % 4u => 3
  int(7u) => 7
  string(7u) => 7
  string(1.5) => 1.5
  string(true) => true
  string(self.a) => 5
  string(self.by) => hello
  bool("true") => true
  type(self.a) => int
  type(self.s) => string
  type(self.n) => double
  type(self.l) => list
  type(self.m) => map
  type(self.o) => map
  type(self.by) => bytes
  type(self.ios) => string
  type(null) => null_type
  type(type(1)) => type
  type(quantity("1")) => kubernetes.Quantity
  type(ip("1.2.3.4")) => net.IP
  type(self) => map
  size(self.s) => 5
  size(self.t) => 11
  size(self.by) => 5
  self.a > 4 => true
  self.a >= 5 => true
  self.a < 5.5 => true
  self.n <= 1 => false
  1u < 2 => true
  "a" < "B" => false
  b"a" < b"b" => true
  self.a == 5 => true
  int(self.ios.replace("%","")) => 50
  b"\x41\102" => AB
  r"\d" + "\\d" => \d\d
  """tri"ple""" => tri"ple
  string(ip("2001:0db8:0:0:1:0:0:1")) => 2001:db8::1:0:0:1
  string(ip("1:0:0:2:0:0:0:3")) => 1:0:0:2::3
  string(ip("::")) => ::
  string(ip("1::")) => 1::
  string(ip("0:1:0:1:0:1:0:1")) => 0:1:0:1:0:1:0:1
  string(cidr("10.1.2.3/8").masked()) => 10.0.0.0/8
  string(cidr("10.1.2.3/8")) => 10.1.2.3/8
  string(cidr("10.1.2.3/8").ip()) => 10.1.2.3
  "a" + 'b' + """c""" + r'd' => abcd
  size("a\tb") => 3
  'a"b' + "c'd" => a"bc'd
  "\x41\u0041\101" => AAA
  0x1F => 31
  0xFFu => 255
  -0x1 => -1
  1.5e3 => 1500
  5 - -3 => 8
  --5 => 5
  -(5) => -5
  - 5 => -5
  5--3 => 8
  1 - 1 - 1 => -1
  2 * 3 + 4 * 5 => 26
  10 / 3 * 3 => 9
  1 < 2 == true => true
  string(1000000.0) => 1e+06
  string(999999.0) => 999999
  string(0.0001) => 0.0001
  string(1e21) => 1e+21
  string(-1.5) => -1.5
  string(double("NaN")) => NaN
  string(double("Infinity")) => +Inf
  string(-double("inf")) => -Inf
  int("+5") => 5
  int(1.5) => 1
  int(-1.5) => -1
  uint(1.5) => 1
  bool("True") => true
  size(self.m) => 2
  string(ip("::1.2.3.4")) => ::102:304
  string(ip("FE80::0001")) => fe80::1
  string(ip("1:0:0:0:0:0:0:0")) => 1::
  self.t.size() => 11
  self.s.charAt(1) => e
  self.s.charAt(6) => !index out of range: 6
  self.s.lastIndexOf("l") => 3
  self.s.lastIndexOf("l", 2) => 2
  self.s.lastIndexOf("") => 5
  self.s.lowerAscii() => hello
  self.s.replace("l", "L") => heLLo
  self.s.replace("l", "L", 1) => heLlo
  self.s.replace("l", "L", 0) => hello
  self.s.replace("", "-") => -h-e-l-l-o-
  self.s.replace("", "-", 2) => -h-ello
  "a$b".replace("$", "$&") => a$&b
  "a,b,c".split(",") => ["a", "b", "c"]
  "a,b,c".split(",", 2) => ["a", "b,c"]
  "a,b,c".split(",", 0) => []
  "a,b,c".split(",", 1) => ["a,b,c"]
  "abc".split("") => ["a", "b", "c"]
  "abc".split("", 2) => ["a", "bc"]
  self.s.substring(1) => ello
  self.s.substring(1, 3) => el
  self.s.substring(3, 1) => !invalid substring range. start: 3, end: 1
  self.s.substring(9) => !index out of range: 9
  "%.2f".format([1.005]) => 1.00
  "%f".format([1234567.891]) => 1,234,567.891000
  "%.0f".format([2.5]) => 2
  "%s".format([[1, "a", 2.5, true, null]]) => [1, "a", 2.500000, true, null]
  "%s".format([{"b": 1, "a": "x"}]) => {"a":"x", "b":1}
  "%x".format(["abc"]) => 616263
  "%%".format([]) => %
  self.s.contains("ell") => true
  self.s.startsWith("he") => true
  self.s.endsWith("lo") => true
  self.s.matches("^h.*o$") => true
  self.s.matches("l{2}") => true
  self.s.matches(self.t) => false
  self.s.find("l+") => ll
  self.s.findAll("l") => ["l", "l"]
  self.s.findAll("l", 1) => ["l"]
  self.s.findAll("x*") => ["", "", "", "", "", ""]
  "abc".matches("^[a-c]+$") => true
  "a\nb".matches("a.b") => false
  "a\nb".matches("^b$") => false
  "a\n".matches("a$") => false
  "x.y".matches("x\\.y") => true
  "aaaa".matches("^a{2,3}$") => false
  "a{x}".matches("a{x}") => true
  "a]".matches("a]") => true
  "a-b".matches("^[a\\-b]+$") => true
  "a b".matches("a\\sb") => true
  "a\u00a0b".matches("a\\sb") => false
  "ab".matches("a\\x62") => true
  "ab".matches("\\Aab\\z") => true
  "a.b".matches("^\\Qa.b\\E$") => true
  "xaaay".findAll("a*") => ["", "aaa", ""]
  "xaaay".findAll("a|aa") => ["a", "a", "a"]
  "xaaay".findAll("aa|a") => ["aa", "a"]
  "foobar".find("foo|foobar") => foo
  "a1b22".findAll("\\d+", -1) => ["1", "22"]
  "a1b22".findAll("\\d+", 0) => []
  "ab12".find("[[:alpha:]]+") => ab
  "ab12".find("[[:^alpha:]]+") => 12
  "a b".find("\\bb") => b
  "abc".find("b|$") => b
  "".findAll("") => [""]
  "abc".findAll("") => ["", "", "", ""]
  "a\\b".matches("a\\\\b") => true
  "%s-%d".format(["a", 1]) => a-1
  "%s".format([true]) => true
  "%s".format([1.5]) => 1.5
  "%s".format([b"a"]) => a
  "%s".format([type(1)]) => int
  "%s".format([null]) => null
  "%f".format(["NaN"]) => NaN
  "%f".format([-0.5]) => -0.500000
  "%.1f".format([0.25]) => 0.2
  "%.1f".format([0.35]) => 0.3
  "%x".format([-255]) => -ff
  "%X".format([b"az"]) => 617A
  "%b".format([true]) => 1
  "%o".format([-8]) => -10
  "100%%".format([]) => 100%
  "\u00a0 a \u3000".trim() => a
  "abc".charAt(-1) => !index out of range: -1
  "abc".substring(-1) => !index out of range: -1
  "abc".substring(1, 9) => !index out of range: 9
  "abc".lastIndexOf("a", 0) => 0
  "abcabc".lastIndexOf("bc", 4) => 4
  "aXbXc".replace("X", "", 1) => abXc
  "abc".replace("z", "y") => abc
  isURL("https://a.com:80/b?c=d") => true
  isURL("../x") => false
  isURL("/abs") => true
  isURL("mailto:a@b") => true
  isURL("http://a b/") => false
  isURL("") => false
  isURL("http://[::1]:80/x") => true
  url("https://user@a.com:80/b%20c?x=1&y=2&x=3#f").getScheme() => https
  url("https://user@a.com:80/b%20c?x=1&y=2&x=3#f").getHost() => a.com:80
  url("https://user@a.com:80/b%20c?x=1&y=2&x=3#f").getHostname() => a.com
  url("https://user@a.com:80/b%20c?x=1&y=2&x=3#f").getPort() => 80
  url("https://user@a.com:80/b%20c?x=1&y=2&x=3#f").getEscapedPath() => /b%20c
  url("https://user@a.com:80/b%20c?x=1&y=2&x=3#f").getQuery() => {"x":["1", "3"], "y":["2"]}
  url("http://[::1]:8080/x").getHost() => [::1]:8080
  url("/a/b c").getEscapedPath() => /a/b%20c
  url("https://a.com") == url("https://a.com") => true
  isQuantity("1Gi") => true
  isQuantity("1.5") => true
  isQuantity("x") => false
  isQuantity("1KiB") => false
  isQuantity("-5m") => true
  isQuantity("+5") => true
  isQuantity(".5") => true
  isQuantity("5.") => true
  isQuantity(".") => true
  isQuantity("1Ki1") => false
  quantity("1Gi").asInteger() => 1073741824
  quantity("1500m").isInteger() => false
  quantity("1500m").asApproximateFloat() => 1.5
  quantity("2").asApproximateFloat() => 2
  quantity("1.5Gi").isInteger() => false
  sign(quantity("-5")) => -1
  quantity("1k").compareTo(quantity("1000")) => 0
  quantity("1k").isLessThan(quantity("1Ki")) => true
  quantity("1k").isGreaterThan(quantity("1Ki")) => false
  quantity("1k") == quantity("1000") => true
  quantity("1k").add(quantity("1")).asInteger() => 1001
  quantity("1k").sub(quantity("500m")).asApproximateFloat() => 999.5
  quantity("1k").sub(5).asInteger() => 995
  quantity("9999999999999999999Ei").asApproximateFloat() => 9.223372036854776e+18
  isIP("1.2.3.4") => true
  isIP("1.2.3") => false
  isIP("01.2.3.4") => false
  isIP("::ffff:1.2.3.4") => false
  isIP("fe80::1%eth0") => false
  ip("1.2.3.4").family() => 4
  ip("::1").family() => 6
  ip.isCanonical("::1") => true
  ip.isCanonical("0:0::1") => false
  ip.isCanonical("2001:DB8::1") => false
  ip("0.0.0.0").isUnspecified() => true
  ip("169.254.1.1").isLinkLocalUnicast() => true
  ip("224.0.0.1").isLinkLocalMulticast() => true
  ip("8.8.8.8").isGlobalUnicast() => true
  ip("10.0.0.1").isGlobalUnicast() => true
  ip("255.255.255.255").isGlobalUnicast() => false
  ip("1.2.3.4") == ip("1.2.3.4") => true
  isCIDR("10.0.0.0/8") => true
  isCIDR("10.0.0.0/33") => false
  isCIDR("10.0.0.0") => false
  isCIDR("10.0.0.0/08") => false
  isCIDR("::/0") => true
  cidr("10.0.0.0/8").containsIP("11.1.2.3") => false
  cidr("10.0.0.0/8").containsIP(ip("10.1.2.3")) => true
  cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16") => true
  cidr("10.0.0.0/8").containsCIDR("10.0.0.0/7") => false
  cidr("10.0.0.0/8").containsCIDR(cidr("10.0.0.0/8")) => true
  cidr("10.1.2.3/8").prefixLength() => 8
  format.dns1123Label().validate("abc").hasValue() => false
  format.dns1123Label().validate("a.b").value() => ["must not contain dots"]
  format.qualifiedName().validate("/c").value() => ["prefix part must be non-empty"]
  format.dns1123LabelPrefix().validate("abc-").hasValue() => false
  format.dns1123SubdomainPrefix().validate("abc-").hasValue() => false
  format.dns1035LabelPrefix().validate("abc-").hasValue() => false
  format.uri().validate("x").value() => ["parse \"x\": invalid URI for request"]
  format.uri().validate("https://a").hasValue() => false
  format.uuid().validate("x").value() => ["does not match the UUID format"]
  format.uuid().validate("123e4567-e89b-12d3-a456-426614174000").hasValue() => false
  format.byte().validate("aGk=").hasValue() => false
  format.byte().validate("%").value() => ["invalid base64"]
  format.date().validate("x").value() => ["invalid date"]
  format.datetime().validate("2024-01-01T00:00:00Z").hasValue() => false
  format.datetime().validate("x").value() => ["invalid datetime"]
  format.named("uuid").hasValue() => true
  format.named("foo").hasValue() => false
  format.named("dns1123Label").value().validate("abc").hasValue() => false
  semver("1.2.3-alpha.1+build").minor() => 2
  semver("1.2.3").patch() => 3
  semver("v1.2.3").major() => !Invalid character(s) found in major number "v1"
  semver("v1.2", true).patch() => 0
  semver("01.2", true).major() => 1
  isSemver("1.2.3") => true
  isSemver("v1.2", true) => true
  isSemver("1.2.3-01") => false
  isSemver("1-a", true) => false
  semver("1.2.3").isLessThan(semver("1.2.4")) => true
  semver("1.2.3-a").isLessThan(semver("1.2.3")) => true
  semver("1.2.3-a.1").compareTo(semver("1.2.3-a.b")) => -1
  semver("1.10.0").isGreaterThan(semver("1.9.0")) => true
  semver("x").major() => !No Major.Minor.Patch elements found
  semver("").major() => !Version string empty
  isQuantity("") => false
  isQuantity("m") => true
  isQuantity("+") => true
  isQuantity(".m") => true
  isQuantity("1 Gi") => false
  isQuantity("1e") => false
  isQuantity("1e+3") => true
  isQuantity("1E3") => true
  isQuantity("1e3Mi") => false
  isQuantity("0x10") => false
  quantity("0.1n").asApproximateFloat() => 1e-09
  quantity("-0.1n").asApproximateFloat() => -1e-09
  quantity("1e20").asApproximateFloat() => 1e+20
  quantity("1e20").isInteger() => false
  quantity("1E").isInteger() => true
  quantity("10E").isInteger() => false
  quantity("1Ei").isInteger() => false
  quantity("1Ei").asInteger() => !cannot convert value to integer
  quantity("123456789012345678901234567890").isInteger() => false
  quantity("0").asInteger() => 0
  quantity("1.5Gi").asApproximateFloat() => 1.610612736e+09
  quantity("0.5Gi").isInteger() => false
  isURL("https://example.com") => true
  isURL("https://") => true
  isURL("http://%zz") => false
  isURL("http://a/%zz") => false
  isURL("a:b") => true
  isURL("://x") => false
  isURL("http://a:99999/") => true
  isURL("http://user:pa ss@h/") => false
  isURL("http://h/?q=%zz") => true
  isURL("http://h/a b") => true
  isURL("//h/x") => true
  isURL("*") => true
  isURL("http://a#frag") => false
  url("HTTP://a").getScheme() => http
  url("http://a?x=a%20b+c&y").getQuery() => {"x":["a b c"], "y":[""]}
  url("http://a?x=1;y=2").getQuery() => {}
  url("http://a/b/../c").getEscapedPath() => /b/../c
  url("http://h/%2Fa").getEscapedPath() => /%2Fa
  isIP("") => false
  isIP("1.2.3.4.5") => false
  isIP("1.2.3.256") => false
  isIP("1.2.3.04") => false
  isIP("::g") => false
  isIP("1:2:3:4:5:6:7:8:9") => false
  isIP("1:2:3:4:5:6:7::") => true
  isIP("12345::") => false
  isIP(" 1.2.3.4") => false
  ip("::1.2.3.4").family() => 6
  ip("fe80::1").isLinkLocalUnicast() => true
  ip("ff01::1").isGlobalUnicast() => false
  ip("::").isUnspecified() => true
  isCIDR("10.0.0.0/") => false
  isCIDR("/8") => false
  isCIDR("::ffff:1.2.3.4/100") => false
  isCIDR("10.0.0.0/+8") => false
  isCIDR("fe80::1%eth0/64") => false
  cidr("::/0").containsIP("1.2.3.4") => false
  cidr("2001:db8::/32").containsCIDR("2001:db8:1::/48") => true
  cidr("10.0.0.1/8") == cidr("10.0.0.0/8") => false
  cidr("10.0.0.0/8").masked() == cidr("10.0.0.1/8").masked() => true
  cidr("192.168.1.0/24").ip().family() => 4
  format.dns1123Label().validate("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa").value() => ["must be no more than 63 characters"]
  format.qualifiedName().validate("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa").value() => ["name part must be no more than 63 bytes"]
  format.uri().validate("").value() => ["parse \"\": empty url"]
  format.uri().validate("a b").value() => ["parse \"a b\": invalid URI for request"]
  format.uuid().validate("123E4567E89B12D3A456426614174000").hasValue() => false
  format.byte().validate("").hasValue() => true
  format.byte().validate("aGk").value() => ["invalid base64"]
  format.date().validate("2024-02-30").value() => ["invalid date"]
  format.datetime().validate("2024-02-29T00:00:00.123+01:00").hasValue() => false
  format.datetime().validate("").value() => ["invalid datetime"]
  format.dns1123Label() == format.dns1123Label() => true
  format.dns1123Label() == format.uuid() => false
  semver("1.2.3-rc.1").isLessThan(semver("1.2.3-rc.2")) => true
  semver("1.2.3-rc.10").isGreaterThan(semver("1.2.3-rc.9")) => true
  semver("01.2.3").major() => !Major number must not contain leading zeroes "01"
  semver("1.2.3.4").major() => !Invalid character(s) found in patch number "3.4"
  semver("1.2.x").major() => !Invalid character(s) found in patch number "x"
  semver("1.2.3-").major() => !Prerelease is empty
  semver("1.2.3-a..b").major() => !Prerelease is empty
  semver("1.2.3+").major() => !Build meta data is empty
  isSemver("1.2.3-0a") => true
  isSemver("1.2.3+01") => true
  isSemver("v1", true) => true
  isSemver("", true) => false
  isSemver("1.02.3", true) => true
  isSemver("1.2.3-01", true) => false
`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(' => '))

test.each(answers)('%s is %s', (text = '', expected = '') => {
  expect(answerOf(text, { schema, json })).toBe(expected)
})
