;; Rows of a JSON array that are written like its first one → the lines that COPY reads, each row checked on the way. `uniform-rows.ts` fills the
;; memory and calls it; `npm run wasm` makes uniform-rows.wasm.gen.ts of it.
;;
;; Whatever is not like the first row (other keys, another order, other blanks), is nested, or has an escape that COPY does not know ends it behind
;; the last whole row. So nothing here grows, allocates or fails.
;;
;; The memory, in bytes from 0 on; the places are those of `uniform-rows.ts`:
;;     0  where the last whole row ends (told)    4  where its line ends (told)    8  rows so far (told, counted on)
;;   1024 what stands before each value, 8 bytes each: where it is, its length; before the first one: what is between two rows, and its key
;;  99328 the lines. The text before them ends with zeros: no value goes on behind it.
(module
  (memory (export "memory") 3 3)

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

  ;; Whether the same bytes are in both places.
  (func $same (param $one i32) (param $other i32) (param $length i32) (result i32)
    (local $differ i32)
    (loop $more
      ;; A bit for each of the 16 that differs.
      (local.set $differ
        (i32.sub
          (i32.const 0xffff)
          (i8x16.bitmask (i8x16.eq (v128.load (local.get $one)) (v128.load (local.get $other))))))
      (if (i32.gt_s (local.get $length) (i32.const 16))
        (then
          (local.set $one (i32.add (local.get $one) (i32.const 16)))
          (local.set $other (i32.add (local.get $other) (i32.const 16)))
          (local.set $length (i32.sub (local.get $length) (i32.const 16)))
          (br_if $more (i32.eqz (local.get $differ))))
        (else
          ;; What lies behind the end does not count.
          (local.set $differ
            (i32.and
              (local.get $differ)
              (i32.sub (i32.shl (i32.const 1) (local.get $length)) (i32.const 1)))))))
    (i32.eqz (local.get $differ)))

  ;; Behind the digits that begin here; 0: there are none.
  (func $digits (param $at i32) (result i32)
    (local $from i32)
    (local.set $from (local.get $at))
    (loop $more
      (if (i32.lt_u (i32.sub (i32.load8_u (local.get $at)) (i32.const 0x30)) (i32.const 10))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $more))))
    (if (i32.eq (local.get $at) (local.get $from)) (then (local.set $at (i32.const 0))))
    (local.get $at))

  ;; Behind the number that begins here; 0: there is none.
  (func $number (param $at i32) (result i32)
    (local $byte i32)
    (block $none
      (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x2d))
        (then (local.set $at (i32.add (local.get $at) (i32.const 1)))))
      (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x30))
        (then (local.set $at (i32.add (local.get $at) (i32.const 1))))
        (else
          (local.set $at (call $digits (local.get $at)))
          (br_if $none (i32.eqz (local.get $at)))))
      (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x2e))
        (then
          (local.set $at (call $digits (i32.add (local.get $at) (i32.const 1))))
          (br_if $none (i32.eqz (local.get $at)))))
      (if (i32.eq (i32.or (i32.load8_u (local.get $at)) (i32.const 0x20)) (i32.const 0x65))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (local.set $byte (i32.load8_u (local.get $at)))
          (if (i32.or (i32.eq (local.get $byte) (i32.const 0x2b)) (i32.eq (local.get $byte) (i32.const 0x2d)))
            (then (local.set $at (i32.add (local.get $at) (i32.const 1)))))
          (local.set $at (call $digits (local.get $at))))))
    (local.get $at))

  ;; From the first value of a row on, or, where $isBehind, from the end of the row before.
  (func (export "read") (param $at i32) (param $columns i32) (param $isBehind i32)
    (local $to i32)
    (local $rows i32)
    (local $column i32)
    (local $byte i32)
    (local $end i32)
    (local $lead i32)
    (local $bytes v128)
    (local.set $to (i32.const 99328))
    (local.set $rows (i32.load (i32.const 8)))
    (i32.store (i32.const 0) (local.get $at))
    (i32.store (i32.const 4) (local.get $to))
    (block $stop
      (loop $value
        (if (local.get $isBehind)
          (then
            (local.set $lead (i32.add (i32.const 1024) (i32.shl (local.get $column) (i32.const 3))))
            (local.set $end (i32.load offset=4 (local.get $lead)))
            (br_if $stop
              (i32.eqz (call $same (local.get $at) (i32.load (local.get $lead)) (local.get $end))))
            (local.set $at (i32.add (local.get $at) (local.get $end)))))
        (local.set $isBehind (i32.const 1))
        (block $written
          (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x22))
            (then
              (local.set $at (i32.add (local.get $at) (i32.const 1)))
              (loop $more
                (local.set $bytes (v128.load (local.get $at)))
                (v128.store (local.get $to) (local.get $bytes))
                ;; How many of the 16 stand before the first that is a control character, a quote or a backslash.
                (local.set $end
                  (i32.ctz
                    (i32.or
                      (i32.const 0x10000)
                      (i8x16.bitmask
                        (v128.or
                          (i8x16.lt_u (local.get $bytes) (i8x16.splat (i32.const 0x20)))
                          (v128.or
                            (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x22)))
                            (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5c)))))))))
                (local.set $at (i32.add (local.get $at) (local.get $end)))
                (local.set $to (i32.add (local.get $to) (local.get $end)))
                (br_if $more (i32.eq (local.get $end) (i32.const 16)))
                (local.set $byte (i32.load8_u (local.get $at)))
                (local.set $at (i32.add (local.get $at) (i32.const 1)))
                (br_if $written (i32.eq (local.get $byte) (i32.const 0x22)))
                (br_if $stop (i32.lt_u (local.get $byte) (i32.const 0x20)))
                ;; Behind a backslash. Quote and slash stand for themselves; \ b f n r t COPY reads as JSON does.
                (local.set $byte (i32.load8_u (local.get $at)))
                (local.set $at (i32.add (local.get $at) (i32.const 1)))
                (if
                  (i32.eqz
                    (i32.or (i32.eq (local.get $byte) (i32.const 0x22)) (i32.eq (local.get $byte) (i32.const 0x2f))))
                  (then
                    (br_if $stop
                      (i32.and
                        (i32.and
                          (i32.and (i32.ne (local.get $byte) (i32.const 0x5c)) (i32.ne (local.get $byte) (i32.const 0x62)))
                          (i32.and (i32.ne (local.get $byte) (i32.const 0x66)) (i32.ne (local.get $byte) (i32.const 0x6e))))
                        (i32.and (i32.ne (local.get $byte) (i32.const 0x72)) (i32.ne (local.get $byte) (i32.const 0x74)))))
                    (i32.store8 (local.get $to) (i32.const 0x5c))
                    (local.set $to (i32.add (local.get $to) (i32.const 1)))))
                (i32.store8 (local.get $to) (local.get $byte))
                (local.set $to (i32.add (local.get $to) (i32.const 1)))
                (br $more))))
          ;; null
          (if (i32.eq (i32.load (local.get $at)) (i32.const 0x6c6c756e))
            (then
              ;; \N
              (i32.store (local.get $to) (i32.const 0x4e5c))
              (local.set $at (i32.add (local.get $at) (i32.const 4)))
              (local.set $to (i32.add (local.get $to) (i32.const 2)))
              (br $written)))
          ;; true; false
          (if (i32.eq (i32.load (local.get $at)) (i32.const 0x65757274))
            (then (local.set $end (i32.add (local.get $at) (i32.const 4))))
            (else
              (if
                (i32.and
                  (i32.eq (i32.load (local.get $at)) (i32.const 0x736c6166))
                  (i32.eq (i32.load8_u offset=4 (local.get $at)) (i32.const 0x65)))
                (then (local.set $end (i32.add (local.get $at) (i32.const 5))))
                (else (local.set $end (call $number (local.get $at)))))))
          (br_if $stop (i32.eqz (local.get $end)))
          (call $copy (local.get $at) (local.get $to) (i32.sub (local.get $end) (local.get $at)))
          (local.set $to (i32.add (local.get $to) (i32.sub (local.get $end) (local.get $at))))
          (local.set $at (local.get $end)))
        (local.set $column (i32.add (local.get $column) (i32.const 1)))
        (if (i32.lt_s (local.get $column) (local.get $columns))
          (then
            (i32.store8 (local.get $to) (i32.const 0x09))
            (local.set $to (i32.add (local.get $to) (i32.const 1)))
            (br $value)))
        (local.set $column (i32.const 0))
        (i32.store8 (local.get $to) (i32.const 0x0a))
        (local.set $to (i32.add (local.get $to) (i32.const 1)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 1)))
        (i32.store (i32.const 0) (local.get $at))
        (i32.store (i32.const 4) (local.get $to))
        (i32.store (i32.const 8) (local.get $rows))
        (br $value)))))
