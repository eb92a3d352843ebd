/**
 * Operators on every pair of values: each row has an expression, with `@` for a number, digits, a letter, hex, a boolean, a list, a
 * struct, null and a fraction in turn, and for each of them whether it is true, false, an error or refused.
 */
export const OPERATORS = `
@ == 7     => TTEEEEEEE
@ != 7     => FFEEEEEEE
@ == '7'   => TTFFEEEEE
@ != '7'   => FFTTEEEEE
@ == 'a'   => EFTFEEEEE
@ == '0xaB'=> EFFTEEEEE
@ != '0xaB'=> ETTFEEEEE
@ == true  => EEEETEEEE
@ != true  => EEEEFEEEE
@ == [7]   => ---------
@ == { a: 1 } => EEEEEETEE
@ != { a: 1 } => EEEEEEFEE
@ == { a: 2 } => EEEEEEFEE
@ == { a: '1' } => EEEEEETEE
@ == { a: true } => EEEEEEEEE
@ == { b: 1 } => EEEEEEEEE
@ == { a: 1, b: 1 } => EEEEEEEEE
{ a: 1 } == @ => EEEEEETEE
{ a: $n } != @ => EEEEEETEE
@ == $n    => TTEEEEEEE
@ == $d    => TTFFEEEEE
@ == $t    => EFTFEEEEE
@ == $x    => EFFTEEEEE
@ == $f    => EEEETEEEE
@ == $l    => EEEEEEEEE
@ == $s    => EEEEEEEEE
@ == $z    => EEEEEEEEE
@ == $h    => EEEEEEEEE
@ < 8      => TEEEEEEEE
@ <= 7     => TEEEEEEEE
@ > 7      => FEEEEEEEE
@ >= 7     => TEEEEEEEE
7 > @      => FEEEEEEEE
@ < $n     => FEEEEEEEE
@ < $d     => EEEEEEEEE
@ < $l     => EEEEEEEEE
@ < 'a'    => ---------
@ < true   => ---------
@ in [7]   => TTEEEEEEE
@ in ['7', '8'] => TTFFEEEEE
@ in ['0xAB'] => EFFTEEEEE
@ in [true, false] => EEEETEEEE
@ in [{ a: 1 }, { a: 2 }] => EEEEEETEE
@ in []    => FFFFFFFEE
@ in $l    => TTEEEEEEE
7 in @     => EEEEETEEE
'a' in @   => EEEEEEEEE
@ in $n    => EEEEEEEEE
[7].contains(@) => TTEEEEEEE
@.contains(7)   => EEEEETEEE
@.count == 1    => EEEEETEEE
@.count() == 1  => EEEEETEEE
@.all(i, i == 7) => EEEEETEEE
@.any(i, i == 8) => EEEEEFEEE
@.filter(i, i == 8).count() == 0 => EEEEETEEE
@[0] == 7  => ETEFETEEE
@[0] == 'a' => EFTFEEEEE
@[1] == 'x' => EEETEEEEE
@['a'] == 1 => EEEEEETEE
@['b'] == 1 => EEEEEEEEE
@['a']['b'] == 1 => EEEEEEEEE
@[true] == 1 => ---------
@[0..1] == '7' => ETFFEEEEE
@[0..1].count() == 1 => EEEEETEEE
@[0..2] == '0x' => EEETEEEEE
@['a'..1] == 1 => ---------
$l[@] == 7 => EEEEEEEEE
$s[@] == 1 => EEEEEEEEE
$s['a'] == @ => FFEEEEEEE
!@         => ---------
@          => ---------
@ && true  => ---------
@ == true || true => EEEETEEEE
false && @ == true => EEEEFEEEE
[@, 7].count() == 2 => TTTTTTTEE
{ a: @ } == { a: 7 } => TTEEEEEEE
{ a: @ } == { a: [7] } => EEEEETEEE
{ a: @ } == { a: { a: 1 } } => EEEEEETEE
{ a: @ } == { a: [8] } => EEEEEFEEE
{ a: @ }.a == 7 => TTEEEEEEE
@.a == 1   => ---------
`
