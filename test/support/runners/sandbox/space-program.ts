const numbers =
  process.arch === 'x64'
    ? { memfd: 319, mmap: 9, exit: 60, unshare: 272, clone: 56, shmget: 29, prctl: 157 }
    : { memfd: 279, mmap: 222, exit: 93, unshare: 97, clone: 220, shmget: 194, prctl: 167 };

/** What programs call. Sizes are in megabytes. */
const PRELUDE = `use strict; use Errno; no strict 'vars';
  ${Object.entries(numbers)
    .map(([name, number]) => `my $${name} = ${number};`)
    .join(' ')}
  my $name = "space\\0";
  sub memfd { my $fd = syscall($memfd, $name, 0); $fd < 0 and die "memfd: $!"; open(my $file, '+<&=', $fd) or die $!; $file }
  sub named { open(my $file, '+>', $_[0]) or die $!; $file }
  sub deleted { my $file = named($_[0]); unlink $_[0] or die $!; $file }
  sub fill { my ($file, $size) = @_; my $part = 'x' x 1_000_000; syswrite($file, $part) == 1_000_000 or die $! for 1 .. $size }
  sub map_pages { my $address = syscall($mmap, 0, @_); $address == -1 and die "mmap: $!"; $address }
  sub mapped { my ($file, $size) = @_; map_pages($size * 1_000_000, 3, 1, fileno($file), 0) }
  sub anonymous { map_pages($_[0] * 1_000_000, 3, 0x21, -1, 0) }
  sub touch { my ($address, $size) = @_; for (my $at = 0; $at < $size * 1_000_000; $at += 4096) { unpack 'P1', pack 'J', $address + $at } }
  sub open_many { for (1 .. $_[0]) { open(my $file, '<', '/dev/null') or die $!; push @many, $file } }
  sub leave { select undef, undef, undef, 0.3; syscall($exit, 0) }
  sub hold { select undef, undef, undef, 1.5; 1 while wait != -1 }
`;

/** A program of Perl that takes space in ways that are hard to see, with the functions above. */
export function spaceProgram(program: string): string {
  return `${PRELUDE}\n${program}`;
}
