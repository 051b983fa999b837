;; Rows off the wire → JSON text: a run of DataRow messages, as `json-rows.ts` writes them one by one, at four times its speed
;; (docs/performance.md). `json-cells.ts` fills the memory and calls it; `npm run wasm` makes json-cells.wasm.gen.ts of it.
;;
;; Whatever is rare is left to JavaScript: the writer stops before such a row. So nothing here grows, allocates or fails.
;;
;; The memory, in bytes from 0 on; the places are those of `json-cells.ts`:
;;    0  where the text ends (told)           4  rows that were written (told)
;;    8  first column                        12  behind the last column
;;   16  what stands behind a row            20  its length
;;   24  room for a row without its cells    28  where the text begins      32  where it has to end
;;   36  level of the row before, -1: none (told)
;;   40  how many levels there are, 0: rows are all alike
;;   44  levels, 8 bytes each: first column, behind the last column
;;   48  what stands before a row, 8 bytes each: where it is, its length, -1: it cannot be there; for each level before (none first) that of every level
;;   64  for each byte of a text its escape, 8 bytes: the text, and in the last its length
;; A column is 12 bytes: its kind, where its key is, the key's length. Before the first key stands what is between two rows.
;;
;; Rows of several levels have a first cell that is not shown: the digit of the row's level, null for the last one.
(module
  (memory (export "memory") 12 12)

  ;; The protocol's numbers have their highest byte first.
  (func $number (param $at i32) (result i32)
    (local $x i32)
    (local.set $x (i32.load (local.get $at)))
    (i32.or
      (i32.and (i32.rotl (local.get $x) (i32.const 8)) (i32.const 0x00ff00ff))
      (i32.and (i32.rotr (local.get $x) (i32.const 8)) (i32.const 0xff00ff00))))

  ;; By 16 bytes at a time: up to 16 behind the end are written, too, and written over by what comes next.
  (func $copy (param $from i32) (param $to i32) (param $length i32)
    (loop $more
      (v128.store (local.get $to) (v128.load (local.get $from)))
      (if (i32.gt_s (local.get $length) (i32.const 16))
        (then
          (local.set $from (i32.add (local.get $from) (i32.const 16)))
          (local.set $to (i32.add (local.get $to) (i32.const 16)))
          (local.set $length (i32.sub (local.get $length) (i32.const 16)))
          (br $more)))))

  ;; The inside of a JSON string. Returns where it ends.
  (func $text (param $from i32) (param $to i32) (param $left i32) (result i32)
    (local $bytes v128)
    (local $plain i32)
    (local $escape i32)
    (block $done
      (loop $more
        (br_if $done (i32.le_s (local.get $left) (i32.const 0)))
        (local.set $bytes (v128.load (local.get $from)))
        (v128.store (local.get $to) (local.get $bytes))
        ;; How many of the 16 stand before the first that has to be escaped: a control character, a quote or a backslash.
        (local.set $plain
          (i32.ctz
            (i32.or
              (i32.const 0x10000)
              (i8x16.bitmask
                (v128.or
                  (i8x16.lt_u (local.get $bytes) (i8x16.splat (i32.const 0x20)))
                  (v128.or
                    (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x22)))
                    (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5c)))))))))
        (if (i32.ge_s (local.get $plain) (local.get $left))
          (then
            (local.set $to (i32.add (local.get $to) (local.get $left)))
            (br $done)))
        (local.set $to (i32.add (local.get $to) (local.get $plain)))
        (local.set $from (i32.add (local.get $from) (local.get $plain)))
        (local.set $left (i32.sub (local.get $left) (local.get $plain)))
        (br_if $more (i32.eq (local.get $plain) (i32.const 16)))
        (local.set $escape
          (i32.add (i32.const 64) (i32.shl (i32.load8_u (local.get $from)) (i32.const 3))))
        (i64.store (local.get $to) (i64.load (local.get $escape)))
        (local.set $to (i32.add (local.get $to) (i32.load8_u offset=7 (local.get $escape))))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (local.set $left (i32.sub (local.get $left) (i32.const 1)))
        (br $more)))
    (local.get $to))

  ;; Whether it is a date, perhaps with a time, as `2024-02-29 12:00:00+02`: four digits, a hyphen, and a digit at the end (`BC` is not one).
  (func $isUsualTime (param $at i32) (param $length i32) (result i32)
    (local $last i32)
    (local.set $last (i32.load8_u (i32.sub (i32.add (local.get $at) (local.get $length)) (i32.const 1))))
    (i32.and
      (i32.and
        (i32.eq (i32.and (i32.load (local.get $at)) (i32.const 0xf0f0f0f0)) (i32.const 0x30303030))
        (i32.eq (i32.load8_u offset=4 (local.get $at)) (i32.const 0x2d)))
      (i32.and
        (i32.lt_u (local.get $last) (i32.const 0x3a))
        (i32.or
          (i32.eq (local.get $length) (i32.const 10))
          (i32.and
            (i32.gt_s (local.get $length) (i32.const 10))
            (i32.eq (i32.load8_u offset=10 (local.get $at)) (i32.const 0x20)))))))

  ;; Returns where it ends: a T instead of the blank, and minutes in the offset.
  (func $time (param $from i32) (param $to i32) (param $length i32) (result i32)
    (local $sign i32)
    (call $copy (local.get $from) (local.get $to) (local.get $length))
    (if (i32.gt_s (local.get $length) (i32.const 10))
      (then
        (i32.store8 offset=10 (local.get $to) (i32.const 0x54))
        (local.set $sign (i32.load8_u (i32.sub (i32.add (local.get $from) (local.get $length)) (i32.const 3))))
        (if (i32.or (i32.eq (local.get $sign) (i32.const 0x2b)) (i32.eq (local.get $sign) (i32.const 0x2d)))
          (then
            ;; `:00`
            (i32.store (i32.add (local.get $to) (local.get $length)) (i32.const 0x30303a))
            (local.set $length (i32.add (local.get $length) (i32.const 3)))))))
    (i32.add (local.get $to) (local.get $length)))

  ;; Writes the rows from $at to $end. Returns the first that it did not write: one that is not whole, has no room, has a date of another form, or is
  ;; of no level or of one that cannot be next. Of levels, rows of the first are counted.
  (func (export "write") (param $at i32) (param $end i32) (result i32)
    (local $out i32)
    (local $written i32)
    (local $rows i32)
    (local $rowEnd i32)
    (local $cell i32)
    (local $length i32)
    (local $first i32)
    (local $kind i32)
    (local $column i32)
    (local $lastColumn i32)
    (local $levels i32)
    (local $level i32)
    (local $before i32)
    (local.set $levels (i32.load (i32.const 40)))
    (local.set $before (i32.load (i32.const 36)))
    (local.set $out (i32.load (i32.const 28)))
    (local.set $written (local.get $out))
    (local.set $lastColumn (i32.load (i32.const 12)))
    (block $stop
      (loop $row
        (br_if $stop (i32.gt_u (i32.add (local.get $at) (i32.const 7)) (local.get $end)))
        (local.set $rowEnd
          (i32.add (i32.add (local.get $at) (i32.const 1)) (call $number (i32.add (local.get $at) (i32.const 1)))))
        (br_if $stop (i32.gt_u (local.get $rowEnd) (local.get $end)))
        ;; No byte becomes more than six: \u0001
        (br_if $stop
          (i32.gt_u
            (i32.add
              (i32.add (local.get $out) (i32.load (i32.const 24)))
              (i32.mul (i32.const 6) (i32.sub (local.get $rowEnd) (local.get $at))))
            (i32.load (i32.const 32))))
        (local.set $cell (i32.add (local.get $at) (i32.const 7)))
        (local.set $column (i32.load (i32.const 8)))
        (if (local.get $levels)
          (then
            (local.set $length (call $number (local.get $cell)))
            (local.set $cell (i32.add (local.get $cell) (i32.const 4)))
            (local.set $level (i32.sub (local.get $levels) (i32.const 1)))
            (if (i32.gt_s (local.get $length) (i32.const 0))
              (then
                (local.set $level (i32.sub (i32.load8_u (local.get $cell)) (i32.const 0x30)))
                (local.set $cell (i32.add (local.get $cell) (local.get $length)))))
            (br_if $stop (i32.ge_u (local.get $level) (local.get $levels)))
            (local.set $column
              (i32.add
                (i32.load (i32.const 48))
                (i32.shl
                  (i32.add
                    (i32.mul (i32.add (local.get $before) (i32.const 1)) (local.get $levels))
                    (local.get $level))
                  (i32.const 3))))
            (local.set $length (i32.load offset=4 (local.get $column)))
            ;; No such row stands behind one of that level.
            (br_if $stop (i32.lt_s (local.get $length) (i32.const 0)))
            (call $copy (i32.load (local.get $column)) (local.get $out) (local.get $length))
            (local.set $out (i32.add (local.get $out) (local.get $length)))
            (local.set $column (i32.add (i32.load (i32.const 44)) (i32.shl (local.get $level) (i32.const 3))))
            (local.set $lastColumn (i32.load offset=4 (local.get $column)))
            (local.set $column (i32.load (local.get $column)))))
        (loop $next
          (local.set $length (i32.load offset=8 (local.get $column)))
          (call $copy (i32.load offset=4 (local.get $column)) (local.get $out) (local.get $length))
          (local.set $out (i32.add (local.get $out) (local.get $length)))
          (local.set $length (call $number (local.get $cell)))
          (local.set $cell (i32.add (local.get $cell) (i32.const 4)))
          (if (i32.lt_s (local.get $length) (i32.const 0))
            (then
              ;; null, unless it is a column of other levels
              (if (i32.ne (i32.load (local.get $column)) (i32.const 5))
                (then
                  (i32.store (local.get $out) (i32.const 0x6c6c756e))
                  (local.set $out (i32.add (local.get $out) (i32.const 4))))))
            (else
              (local.set $kind (i32.load (local.get $column)))
              (local.set $first (i32.load8_u (local.get $cell)))
              ;; NaN and the infinities, perhaps behind a sign, are texts.
              (if (i32.eqz (local.get $kind))
                (then
                  (if (i32.eq (local.get $first) (i32.const 0x2d))
                    (then (local.set $first (i32.load8_u offset=1 (local.get $cell)))))
                  (if (i32.gt_u (local.get $first) (i32.const 0x39))
                    (then (local.set $kind (i32.const 2))))))
              (block $done
                (block $time
                  (block $text
                    (block $boolean
                      (block $plain
                        ;; 0 number, 1 json, 2 text, 3 boolean, 4 time
                        (br_table $plain $plain $text $boolean $time (local.get $kind)))
                      (call $copy (local.get $cell) (local.get $out) (local.get $length))
                      (local.set $out (i32.add (local.get $out) (local.get $length)))
                      (br $done))
                    (if (i32.eq (local.get $first) (i32.const 0x74))
                      (then
                        ;; true
                        (i32.store (local.get $out) (i32.const 0x65757274))
                        (local.set $out (i32.add (local.get $out) (i32.const 4))))
                      (else
                        ;; false
                        (i64.store (local.get $out) (i64.const 0x65736c6166))
                        (local.set $out (i32.add (local.get $out) (i32.const 5)))))
                    (br $done))
                  (i32.store8 (local.get $out) (i32.const 0x22))
                  (local.set $out
                    (call $text (local.get $cell) (i32.add (local.get $out) (i32.const 1)) (local.get $length)))
                  (i32.store8 (local.get $out) (i32.const 0x22))
                  (local.set $out (i32.add (local.get $out) (i32.const 1)))
                  (br $done))
                (br_if $stop (i32.eqz (call $isUsualTime (local.get $cell) (local.get $length))))
                (i32.store8 (local.get $out) (i32.const 0x22))
                (local.set $out
                  (call $time (local.get $cell) (i32.add (local.get $out) (i32.const 1)) (local.get $length)))
                (i32.store8 (local.get $out) (i32.const 0x22))
                (local.set $out (i32.add (local.get $out) (i32.const 1))))
              (local.set $cell (i32.add (local.get $cell) (local.get $length)))))
          (local.set $column (i32.add (local.get $column) (i32.const 12)))
          (br_if $next (i32.lt_u (local.get $column) (local.get $lastColumn))))
        ;; Not the protocol's: its cells are longer than the row.
        (if (i32.gt_u (local.get $cell) (local.get $rowEnd)) (then (unreachable)))
        (call $copy (i32.load (i32.const 16)) (local.get $out) (i32.load (i32.const 20)))
        (local.set $out (i32.add (local.get $out) (i32.load (i32.const 20))))
        (local.set $rows (i32.add (local.get $rows) (i32.eqz (local.get $level))))
        (local.set $before (local.get $level))
        (local.set $written (local.get $out))
        (local.set $at (local.get $rowEnd))
        (br $row)))
    (i32.store (i32.const 0) (local.get $written))
    (i32.store (i32.const 4) (local.get $rows))
    (i32.store (i32.const 36) (local.get $before))
    (local.get $at)))
