// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// One assertion that fails, and one that holds.
contract Gate {
    bool private open;

    function turn(bool wanted) external {
        open = wanted;
    }

    function pass() external view {
        assert(!open);
    }

    function half(uint256 a) external pure returns (uint256 b) {
        b = a / 2;
        assert(b <= a);
    }
}
