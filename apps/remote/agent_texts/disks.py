"""Texts of the agent about disks, directories, space and what already uses them."""

from __future__ import annotations

from apps.tools.translation import gettext_noop as _

SENTENCES = (
    _("%(disk)s does not support discard (%(reason)s)."),
    _("%(disk)s could not be discarded at byte %(offset)s: %(reason)s."),
    _("The job has no disk to discard."),
    _(
        "The page cache was not dropped (%(reason)s): it takes root, and a /proc/sys that can be "
        "written."
    ),
    _(
        "After the page cache was dropped, %(resident)s of %(looked)s bytes looked at of %(path)s "
        "are still in it; a memory file system, a swap file or a process that uses them keeps "
        "them there."
    ),
    _("The page cache cannot be read: %(reason)s."),
    _("Mounts: %(device)s is mounted on %(point)s; unmount it first."),
    _(
        "Holders: %(disk)s carries %(holders)s (LVM, RAID, encryption or multipath); take that "
        "apart first."
    ),
    _("Swap: %(device)s is active swap; run swapoff /dev/%(name)s first."),
    _("System: %(disk)s carries %(point)s of this host and can never be a target."),
    _("Read-only: %(disk)s takes no writes; use it for reading only."),
    _(
        "Identity: %(names)s all answer to %(identity)s; use the device stacked on them, or "
        "detach all but one."
    ),
    _(
        "Signatures: %(disk)s carries %(kinds)s; clear it yourself, or launch again and confirm "
        "the wipe (a disk owner types it beside the launch button)."
    ),
    _("Identity: no disk of this host is %(identity)s now; look for it or enrol the new disk."),
    _("Identity: %(disk)s is not the device the kernel calls %(name)s; repair the node."),
    _("Identity: %(disk)s is %(now)s now, not %(expected)s; nothing was started."),
    _("Identity: %(disk)s is another device now."),
    _(
        "Pass-through: %(disk)s has no NVMe generic device; it is for whole NVMe namespaces and "
        "needs Linux 5.13 or newer."
    ),
    _("Pass-through: %(node)s is not the generic device of %(disk)s; nothing was started."),
    _("Pass-through: %(node)s cannot be compared with %(disk)s (%(reason)s); nothing was started."),
    _("Size: %(disk)s has %(bytes)s bytes, enrolled were %(enrolled)s; enrol the disk again."),
    _("Size: %(disk)s has no size; insert a medium or attach the disk."),
    _("Claim: %(disk)s cannot be opened (%(reason)s); check the disk and its permissions."),
    _("Claim: %(disk)s is in use (%(reason)s); free it first."),
    _("Identity: this disk names itself by nothing that lasts, so it can never be a target."),
    _(
        "Content: %(disk)s shows another file than %(since)s, under the same name; %(advice)s, or "
        "launch again and confirm the wipe."
    ),
    _(
        "Content: %(disk)s is not as %(before)s (%(wrong)s of %(looked)s sampled blocks differ, "
        "the first at byte %(offset)s), so another program has written to it; %(advice)s, or "
        "launch again and confirm the wipe."
    ),
    _("Content: %(disk)s cannot be read (%(reason)s); look at the disk."),
    _("Loop: %(device)s shows data of %(disk)s; detach it (losetup -d /dev/%(name)s) first."),
    _(
        "Export: %(disk)s is given to others over NVMe fabrics (%(name)s); switch that namespace "
        "off."
    ),
    _("Open: process %(pid)s (%(name)s) has %(device)s open for %(use)s; stop it first."),
    _(
        "Mapped: process %(pid)s (%(name)s) has %(device)s mapped into its memory for %(use)s; "
        "stop it first."
    ),
    _(
        "Directory: %(path)s holds benchlab's own files on this host (%(folder)s); choose another "
        "directory."
    ),
    _(
        "Directory: %(folder)s %(reason)s, who could lead the test's files elsewhere; choose one "
        "that only root or the test's own user can change, all the way up."
    ),
    _("Directory: %(path)s has a character that tools read as their own (: $ ` \\); rename."),
    _("Directory: %(path)s leads through a symbolic link to %(target)s; name that one."),
    _("Directory: %(path)s is %(folder)s of the system under another name; choose another."),
    _("Directory: %(path)s is not an absolute path without detours."),
    _("Directory: %(path)s belongs to the system; choose another."),
    _("Directory: %(path)s does not exist or is no directory; make it first."),
    _("Directory: %(path)s exists but is not benchlab's; rename it or choose another directory."),
    _("Directory: %(path)s cannot be made (%(reason)s); check its permissions."),
    _("Space: %(paths)s lie on one file system, which has %(space)s; free some or request less."),
    _("Space: the file system made on %(disk)s has %(space)s; request less."),
    _("Space: %(path)s has %(space)s; free some or request less."),
    _("File system: %(path)s is on %(kind)s, which stores no files."),
    _("Read-only: the file system of %(path)s takes no writes."),
    _("Attempt %(attempt)s is running in %(path)s."),
    _("benchlab's own folder %(folder)s on this host cannot be written (%(reason)s); %(advice)s."),
)

CLAUSES = (
    _("it is mounted, swapped on, part of a RAID or LVM, or claimed by another job"),
    _("if what is on it now may go, have a disk owner confirm that on the disk's page"),
    _("benchlab's last test left it"),
    _("it was when enrolled"),
    _("at the last test"),
    _("when it was enrolled"),
    _("belongs to user %(user)s"),
    _("may be written by others"),
    _(
        "%(free)s bytes free, of which %(reserved)s stay free so that other programs can write "
        "on, and the test needs %(needs)s"
    ),
    _(
        "%(free)s bytes free, of which %(reserved)s stay free so that other programs can write "
        "on, and together they need %(needs)s"
    ),
    _("free some space there"),
    _("its file system has become read-only, which the host's kernel log explains"),
    _("look at its file system"),
    _("only disks are discarded"),
    _("copies of an ext2/3/4 superblock"),
    _("a copy of a btrfs superblock"),
    _("DOS partition table or boot sector"),
    _("%(kind)s in a former partition"),
    _("nothing mounted"),
    _("reading"),
    _("writing"),
    _("Permission denied"),
    _("No such file or directory"),
    _("Input/output error"),
    _("Device or resource busy"),
    _("No space left on device"),
    _("Read-only file system"),
    _("Operation not permitted"),
    _("Operation not supported"),
)
